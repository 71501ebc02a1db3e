// A model before and after its compilation, as files for viewers.
#ifndef OPKIT_CLI_MODELS_MODEL_PICTURES_H_
#define OPKIT_CLI_MODELS_MODEL_PICTURES_H_

#include <filesystem>
#include <map>
#include <string>

#include "opkit/atc/compile/compile.h"

namespace opkit::cli {

// File names to contents: "conv_before.svg", "conv_after.onnx" and so on. Errors: those of
// onnx_file.
Status draw_pictures(const compile::Compiled& compiled, const std::string& prefix,
                     std::map<std::filesystem::path, std::string>& pictures);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_MODEL_PICTURES_H_
