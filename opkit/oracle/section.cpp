#include "opkit/oracle/section.h"

#include <cstring>

namespace opkit::oracle {

Section Section::whole(const Shape& shape) {
  const int64_t elements = shape.elements();
  return {shape, 1, elements, elements, 0};
}

Section Section::of(const Shape& shape, size_t axis, int64_t begin, int64_t end) {
  int64_t runs = 1, inner = 1;
  std::vector<int64_t> dims = shape.dims();
  for (size_t d = 0; d < axis; ++d) runs *= dims[d];
  for (size_t d = axis + 1; d < dims.size(); ++d) inner *= dims[d];
  const int64_t stride = dims[axis] * inner;
  dims[axis] = end - begin;
  return {Shape(std::move(dims)), runs, (end - begin) * inner, stride, begin * inner};
}

Tensor Section::cut_from(const Tensor& whole) const {
  Tensor part(whole.dtype(), shape, whole.desc().name);
  part.desc().format = whole.desc().format;
  const int bits = bits_of(whole.dtype());
  if (bits < 8) {
    for (int64_t i = 0; i < elements(); ++i) part.set(i, whole.at(at(i)));
    return part;
  }
  const auto bytes = static_cast<size_t>(bits / 8);
  for (int64_t r = 0; r < runs && run > 0; ++r)
    std::memcpy(part.data() + static_cast<size_t>(r * run) * bytes,
                whole.data() + static_cast<size_t>(at(r * run)) * bytes,
                static_cast<size_t>(run) * bytes);
  return part;
}

graph::RefTensor Section::cut_from(const graph::RefTensor& whole) const {
  graph::RefTensor part{whole.dtype, shape, std::vector<double>(static_cast<size_t>(elements()))};
  for (int64_t i = 0; i < elements(); ++i) part[i] = whole[at(i)];
  return part;
}

}  // namespace opkit::oracle
