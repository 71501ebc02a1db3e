#include "opkit/rewrite/onnx/write_model.h"

#include <fmt/format.h>

#include "opkit/rewrite/onnx/import_options.h"
#include "opkit/rewrite/onnx/refusals.h"

namespace opkit::onnx_frontend {

int onnx_type(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return onnx::TensorProto::FLOAT16;
    case DType::kBFloat16: return onnx::TensorProto::BFLOAT16;
    case DType::kFloat64: return onnx::TensorProto::DOUBLE;
    case DType::kUInt8: return onnx::TensorProto::UINT8;
    case DType::kInt8: return onnx::TensorProto::INT8;
    case DType::kInt32: return onnx::TensorProto::INT32;
    case DType::kInt64: return onnx::TensorProto::INT64;
    case DType::kBool: return onnx::TensorProto::BOOL;
    default: return onnx::TensorProto::FLOAT;
  }
}

int64_t opset_of_model(const onnx::ModelProto& model) {
  for (const auto& opset : model.opset_import()) {
    if (is_standard(opset.domain())) return opset.version();
  }
  return 1;
}

Result<std::string> written(const onnx::ModelProto& model, size_t most_bytes) {
  const size_t bytes = model.ByteSizeLong();
  if (bytes > most_bytes)
    return Error(kTooLarge,
                 fmt::format("the model would have {} bytes; a file of this kind holds at most {}",
                             bytes, most_bytes),
                 "cut the model into parts");
  return model.SerializeAsString();
}

}  // namespace opkit::onnx_frontend
