// Tensors of a model: initializers, constants, attributes. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_TENSORS_H_
#define OPKIT_REWRITE_ONNX_TENSORS_H_

#include <onnx/onnx_pb.h>

#include <filesystem>

#include "opkit/base/tensor.h"
#include "opkit/graph/ref_tensor.h"

namespace opkit::onnx_frontend {

// Returns the tensor, whose data may lie in a file of `folder`, the model's; an empty folder has no
// files. Sizes are compared before anything is allocated. Errors: OPK-ONNX-002 an element type that
// opkit has not, or data elsewhere; OPK-ONNX-003 data that do not fit the shape.
Result<Tensor> stored_tensor(const onnx::TensorProto& proto, const std::filesystem::path& folder);

struct Constant {
  graph::RefTensor tensor;
  bool confined = false;  // an integer was moved to +-2^53, which only bounds of a Slice may be
};
Result<Constant> constant_of(const onnx::TensorProto& proto, const std::filesystem::path& folder);

// "FLOAT8E4M3FN (17)"; of a number that ONNX has not the number.
std::string element_type_text(int64_t number);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_TENSORS_H_
