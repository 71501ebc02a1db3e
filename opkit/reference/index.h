// Index arithmetic over row-major shapes.
#ifndef OPKIT_REFERENCE_INDEX_H_
#define OPKIT_REFERENCE_INDEX_H_

#include <optional>
#include <vector>

#include "opkit/base/shape.h"

namespace opkit::reference {

using Index = std::vector<int64_t>;

// Returns the position of an index among the elements. REQUIRES: the index lies in the shape.
int64_t offset_of(const Shape& shape, const Index& index);

// Returns the position in `shape` of an element of a shape that it broadcasts to: trailing dims are
// aligned, dims of 1 repeat.
int64_t broadcast_offset(const Shape& shape, const Index& index);

// Numpy's rule; nothing when the shapes do not fit.
std::optional<Shape> broadcast_shape(const Shape& a, const Shape& b);

// Product of dims [begin, end).
int64_t product(const Shape& shape, size_t begin, size_t end);

// Calls visit(index) for every index of the shape in row-major order.
template <typename Visit>
void for_each_index(const Shape& shape, Visit visit) {
  for (int64_t dim : shape.dims()) {
    if (dim == 0) return;
  }
  Index index(shape.rank(), 0);
  while (true) {
    visit(static_cast<const Index&>(index));
    size_t d = shape.rank();
    while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_INDEX_H_
