// Section: a stretch along one axis of a tensor, and where its elements lie in the whole.
#ifndef OPKIT_ORACLE_SECTION_H_
#define OPKIT_ORACLE_SECTION_H_

#include "opkit/base/tensor.h"
#include "opkit/graph/ref_tensor.h"

namespace opkit::oracle {

struct Section {
  Shape shape;                                       // measures the section
  int64_t runs = 1, run = 0, stride = 0, begin = 0;  // elements; run: that lie side by side

  static Section whole(const Shape& shape);
  // Steps begin .. end of an axis. REQUIRES: 0 <= begin < end <= shape[axis].
  static Section of(const Shape& shape, size_t axis, int64_t begin, int64_t end);

  int64_t elements() const { return runs * run; }
  // Returns the section's element i in the whole tensor. REQUIRES: i < elements().
  int64_t at(int64_t i) const { return begin + i / run * stride + i % run; }
  Tensor cut_from(const Tensor& whole) const;
  graph::RefTensor cut_from(const graph::RefTensor& whole) const;
};

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_SECTION_H_
