// What opkit quantize tells.
#ifndef OPKIT_CLI_MODELS_QUANTIZE_TEXT_H_
#define OPKIT_CLI_MODELS_QUANTIZE_TEXT_H_

#include <string>

#include "opkit/base/json.h"
#include "opkit/cli/terminal/color.h"
#include "opkit/quantize/check_model.h"
#include "opkit/quantize/quantize_model.h"

namespace opkit::cli {

// Returns the layers of a model, and what is left out.
Json layers_json(const quantize::Layers& layers);
std::string layers_text(const quantize::Layers& layers, const Palette& palette);

Json quantization_json(const quantize::Int8Model& quantization);
std::string quantization_text(const quantize::Int8Model& quantization, const Palette& palette);

Json checked_json(const quantize::CheckedModel& checked);
std::string checked_text(const quantize::CheckedModel& checked);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_QUANTIZE_TEXT_H_
