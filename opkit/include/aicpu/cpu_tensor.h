// aicpu::Tensor ("AI CPU API", Class Tensor): an operand of a running kernel. Its memory is the
// caller's.
#ifndef OPKIT_INCLUDE_AICPU_CPU_TENSOR_H_
#define OPKIT_INCLUDE_AICPU_CPU_TENSOR_H_

#include <memory>

#include "aicpu/cpu_tensor_shape.h"

namespace aicpu {

class Tensor {
 public:
  Tensor(TensorShape shape, DataType type, void* data)
      : shape_(std::make_shared<TensorShape>(std::move(shape))), type_(type), data_(data) {}

  std::shared_ptr<TensorShape> GetTensorShape() const { return shape_; }
  DataType GetDataType() const { return type_; }
  void* GetData() const { return data_; }
  uint64_t GetDataSize() const {
    const int64_t bytes = ge::GetSizeInBytes(NumElements(), type_);
    return bytes < 0 ? 0 : static_cast<uint64_t>(bytes);
  }
  int64_t NumElements() const { return shape_->NumElements(); }

 private:
  std::shared_ptr<TensorShape> shape_;
  DataType type_;
  void* data_;
};

}  // namespace aicpu

#endif  // OPKIT_INCLUDE_AICPU_CPU_TENSOR_H_
