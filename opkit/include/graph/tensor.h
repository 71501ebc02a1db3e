// ge::Shape: the dims of a tensor as the advanced API's tiling helpers take them.
#ifndef OPKIT_INCLUDE_GRAPH_TENSOR_H_
#define OPKIT_INCLUDE_GRAPH_TENSOR_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/types.h"

namespace ge {

class Shape {
 public:
  Shape() = default;
  explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}

  size_t GetDimNum() const { return dims_.size(); }
  // 0 beyond the last dim.
  int64_t GetDim(size_t i) const { return i < dims_.size() ? dims_[i] : 0; }
  void SetDim(size_t i, int64_t value) {
    if (i < dims_.size()) dims_[i] = value;
  }
  const std::vector<int64_t>& GetDims() const { return dims_; }
  // Elements; 1 for a scalar, -1 with an unknown dim.
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (int64_t dim : dims_) {
      if (dim < 0) return -1;
      size *= dim;
    }
    return size;
  }

 private:
  std::vector<int64_t> dims_;
};

}  // namespace ge

#endif  // OPKIT_INCLUDE_GRAPH_TENSOR_H_
