// RefTensor: a tensor of exact values. Elements are doubles in row-major order; a dtype says what
// they stand for. It is what constants of a graph hold and the only value that the reference
// interpreter knows.
#ifndef OPKIT_GRAPH_REF_TENSOR_H_
#define OPKIT_GRAPH_REF_TENSOR_H_

#include <cstdint>
#include <vector>

#include "opkit/base/dtype.h"
#include "opkit/base/shape.h"

namespace opkit::graph {

struct RefTensor {
  DType dtype = DType::kFloat32;
  Shape shape;
  std::vector<double> values;

  int64_t elements() const { return static_cast<int64_t>(values.size()); }
  double operator[](int64_t i) const { return values[static_cast<size_t>(i)]; }
  double& operator[](int64_t i) { return values[static_cast<size_t>(i)]; }
};

}  // namespace opkit::graph

#endif  // OPKIT_GRAPH_REF_TENSOR_H_
