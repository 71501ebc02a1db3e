// libonnx's version converter. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_CONVERT_VERSION_H_
#define OPKIT_REWRITE_ONNX_CONVERT_VERSION_H_

#include <string>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit::onnx_frontend {

// Returns the model in the operators' version `opset`. Error: OPK-ONNX-004 with the converter's
// reason.
Result<std::string> convert_version(std::string_view model, int opset);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_CONVERT_VERSION_H_
