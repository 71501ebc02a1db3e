#include "opkit/rewrite/variants/tensor_parts.h"

namespace opkit::variants {

using graph::RefTensor;

namespace {

// Elements between two places of the axis, and of everything before it.
int64_t inner_of(const Shape& shape, size_t axis) {
  int64_t inner = 1;
  for (size_t d = axis + 1; d < shape.rank(); ++d) inner *= shape[d];
  return inner;
}

int64_t outer_of(const Shape& shape, size_t axis) {
  int64_t outer = 1;
  for (size_t d = 0; d < axis; ++d) outer *= shape[d];
  return outer;
}

void append(const RefTensor& from, int64_t first, int64_t count, RefTensor& to) {
  const auto begin = from.values.begin() + static_cast<std::ptrdiff_t>(first);
  to.values.insert(to.values.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
}

}  // namespace

RefTensor joined(const std::vector<const RefTensor*>& parts, size_t axis) {
  RefTensor whole{parts[0]->dtype, parts[0]->shape, {}};
  whole.shape[axis] = 0;
  for (const RefTensor* part : parts) whole.shape[axis] += part->shape[axis];
  const int64_t outer = outer_of(whole.shape, axis), inner = inner_of(whole.shape, axis);
  for (int64_t o = 0; o < outer; ++o) {
    for (const RefTensor* part : parts) {
      const int64_t count = part->shape[axis] * inner;
      append(*part, o * count, count, whole);
    }
  }
  return whole;
}

RefTensor cut(const RefTensor& whole, size_t axis, int64_t begin, int64_t count) {
  RefTensor part{whole.dtype, whole.shape, {}};
  part.shape[axis] = count;
  const int64_t outer = outer_of(whole.shape, axis), inner = inner_of(whole.shape, axis);
  for (int64_t o = 0; o < outer; ++o)
    append(whole, (o * whole.shape[axis] + begin) * inner, count * inner, part);
  return part;
}

}  // namespace opkit::variants
