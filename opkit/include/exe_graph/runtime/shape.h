// gert::Shape: at most 25 dims; -1 = unknown dim; the single dim -2 = unknown rank.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_SHAPE_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_SHAPE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "opkit/abi/plugin.h"

namespace gert {

class Shape {
 public:
  static constexpr size_t kMaxDimNum = OPK_MAX_DIMS;
  static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) {
    if (dims.size() > kMaxDimNum) return;
    std::copy(dims.begin(), dims.end(), dims_);
    dim_num_ = dims.size();
  }

  bool operator==(const Shape& other) const {
    return dim_num_ == other.dim_num_ && std::equal(dims_, dims_ + dim_num_, other.dims_);
  }
  bool operator!=(const Shape& other) const { return !(*this == other); }

  // Number of elements; 1 for a scalar; -1 when the product does not fit 64 bits.
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (size_t i = 0; i < dim_num_; ++i) {
      if (__builtin_mul_overflow(size, dims_[i], &size)) return -1;
    }
    return size;
  }

  bool IsScalar() const { return dim_num_ == 0; }
  void SetScalar() { dim_num_ = 0; }

  size_t GetDimNum() const { return dim_num_; }
  // More than kMaxDimNum is cut to kMaxDimNum.
  void SetDimNum(size_t dim_num) { dim_num_ = std::min(dim_num, kMaxDimNum); }

  int64_t GetDim(size_t i) const { return i < kMaxDimNum ? dims_[i] : kInvalidDimValue; }
  int64_t operator[](size_t i) const { return GetDim(i); }
  // REQUIRES: i < kMaxDimNum.
  int64_t& operator[](size_t i) { return dims_[i]; }
  void SetDim(size_t i, int64_t value) {
    if (i < kMaxDimNum) dims_[i] = value;
  }
  // A dim beyond kMaxDimNum is not added.
  Shape& AppendDim(int64_t value) {
    if (dim_num_ < kMaxDimNum) dims_[dim_num_++] = value;
    return *this;
  }

 private:
  size_t dim_num_ = 0;
  int64_t dims_[kMaxDimNum] = {};
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_SHAPE_H_
