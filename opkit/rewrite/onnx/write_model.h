// What writers of models share. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_WRITE_MODEL_H_
#define OPKIT_REWRITE_ONNX_WRITE_MODEL_H_

#include <onnx/onnx_pb.h>

#include <string>

#include "opkit/base/dtype.h"
#include "opkit/base/status.h"

namespace opkit::onnx_frontend {

// ONNX's number of an element type.
int onnx_type(DType dtype);
// Returns the version of the operators that the model imports; 1 where it imports none.
int64_t opset_of_model(const onnx::ModelProto& model);
// What a file of protocol buffers holds: less than 2 GiB.
inline constexpr size_t kMostModelBytes = (size_t{1} << 31) - 1;
// Returns the bytes. Error: OPK-ONNX-009 there are more.
Result<std::string> written(const onnx::ModelProto& model, size_t most_bytes = kMostModelBytes);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_WRITE_MODEL_H_
