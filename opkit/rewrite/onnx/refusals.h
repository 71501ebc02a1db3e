// Errors that several files of the front end give. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_REFUSALS_H_
#define OPKIT_REWRITE_ONNX_REFUSALS_H_

#include <string>

#include "opkit/rewrite/onnx/import_options.h"

namespace opkit::onnx_frontend {

inline Error unsupported(std::string what, std::string action) {
  return Error(kUnsupported, std::move(what), std::move(action));
}

inline Error bad_tensor(std::string what) {
  return Error(kBadTensor, std::move(what), "export the model again");
}

// The ONNX domain by one of its two names.
inline bool is_standard(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_REFUSALS_H_
