#include "opkit/reference/index.h"

#include <algorithm>

namespace opkit::reference {

int64_t offset_of(const Shape& shape, const Index& index) {
  int64_t offset = 0;
  for (size_t d = 0; d < shape.rank(); ++d) offset = offset * shape[d] + index[d];
  return offset;
}

int64_t broadcast_offset(const Shape& shape, const Index& index) {
  const size_t skipped = index.size() - shape.rank();
  int64_t offset = 0;
  for (size_t d = 0; d < shape.rank(); ++d) {
    offset = offset * shape[d] + (shape[d] == 1 ? 0 : index[skipped + d]);
  }
  return offset;
}

std::optional<Shape> broadcast_shape(const Shape& a, const Shape& b) {
  const size_t rank = std::max(a.rank(), b.rank());
  std::vector<int64_t> dims(rank);
  for (size_t back = 1; back <= rank; ++back) {
    const int64_t left = back <= a.rank() ? a[a.rank() - back] : 1;
    const int64_t right = back <= b.rank() ? b[b.rank() - back] : 1;
    if (left != right && left != 1 && right != 1) return std::nullopt;
    dims[rank - back] = left == 1 ? right : left;
  }
  return Shape(std::move(dims));
}

int64_t product(const Shape& shape, size_t begin, size_t end) {
  int64_t result = 1;
  for (size_t d = begin; d < end; ++d) result *= shape[d];
  return result;
}

}  // namespace opkit::reference
