// aicpu::TensorShape ("AI CPU API", Class TensorShape).
#ifndef OPKIT_INCLUDE_AICPU_CPU_TENSOR_SHAPE_H_
#define OPKIT_INCLUDE_AICPU_CPU_TENSOR_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "aicpu/cpu_types.h"

namespace aicpu {

class TensorShape {
 public:
  TensorShape() = default;
  TensorShape(std::vector<int64_t> dims, Format format) : dims_(std::move(dims)), format_(format) {}

  Format GetFormat() const { return format_; }
  void SetFormat(Format format) { format_ = format; }
  int32_t GetDims() const { return static_cast<int32_t>(dims_.size()); }
  // 0 for a dim that the shape does not have.
  int64_t GetDimSize(int32_t index) const {
    return index >= 0 && index < GetDims() ? dims_[static_cast<size_t>(index)] : 0;
  }
  std::vector<int64_t> GetDimSizes() const { return dims_; }
  // Sets an output's dims, which must stay those that were planned.
  void SetDimSizes(const std::vector<int64_t>& dims) { dims_ = dims; }
  int64_t NumElements() const {
    int64_t count = 1;
    for (const int64_t dim : dims_) count *= dim;
    return count;
  }

 private:
  std::vector<int64_t> dims_;
  Format format_ = FORMAT_ND;
};

}  // namespace aicpu

#endif  // OPKIT_INCLUDE_AICPU_CPU_TENSOR_SHAPE_H_
