// Operators that take elements by index.
#include <algorithm>

#include "tests/graphs/maker.h"

namespace opkit::graph_tests {
namespace {

Integers indices(Maker& make, int64_t count, int64_t dim, bool negative) {
  Integers all;
  for (int64_t i = 0; i < count; ++i) all.push_back(make.number(negative ? -dim : 0, dim - 1));
  return all;
}

int64_t dim_at(Maker& make, const std::string& x, int64_t axis) {
  const Shape shape = make.shape(x);
  return shape[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.rank()) : axis)];
}

bool gather(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  const int64_t axis = make.axis(make.shape(x).rank(), 11);
  const Integers at = indices(make, make.number(1, 4), dim_at(make, x, axis), make.since(11));
  Attributes attributes = {{"axis", axis}};
  if (axis == 0 && make.maybe()) attributes.clear();
  if (make.maybe(30))
    return make.add("Gather", {x, make.scalar(static_cast<double>(at[0]), DType::kInt64)},
                    attributes);
  return make.add("Gather", {x, make.integers(at, make.maybe() ? DType::kInt32 : DType::kInt64)},
                  attributes);
}

// Version 9 has Scatter for what is ScatterElements since 11.
bool scatter(Maker& make) {
  const std::string x = make.value(1, 1);
  if (x.empty() || !make.since(9)) return false;
  const int64_t dim = dim_at(make, x, 0), first = make.number(0, dim - 1);
  const std::string at = make.integers({make.since(11) && make.maybe() ? first - dim : first});
  Attributes attributes;
  if (make.maybe()) attributes["axis"] = int64_t{0};
  if (make.since(18) && make.maybe()) attributes["reduction"] = std::string("max");
  return make.add(make.since(11) ? "ScatterElements" : "Scatter", {x, at, make.floats(Shape{1})},
                  attributes);
}

// Places of a box, the last dim fastest, each dim as one number of a tuple.
Integers box(const Integers& from, const Integers& sizes) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  Integers all(static_cast<size_t>(count) * sizes.size());
  for (int64_t place = 0; place < count; ++place) {
    int64_t rest = place;
    for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
      all[static_cast<size_t>(place) * sizes.size() + d] = from[d] + rest % sizes[d];
  }
  return all;
}

// An assignment to a slice, or the same places in another order.
bool scatter_nd(Maker& make) {
  const std::string x = make.value(1, 4);
  if (x.empty() || !make.since(11)) return false;
  const Shape shape = make.shape(x);
  const auto dims = static_cast<size_t>(make.number(1, static_cast<int64_t>(shape.rank())));
  Integers from, sizes;
  int64_t count = 1;
  for (size_t d = 0; d < dims; ++d) {
    if (shape[d] < 1) return false;
    from.push_back(make.number(0, shape[d] - 1));
    sizes.push_back(make.number(1, shape[d] - from[d]));
    count *= sizes[d];
  }
  Integers all = box(from, sizes);
  // Draws another order where there is one dim, else other places.
  if (make.maybe(30)) std::reverse(all.begin(), all.end());
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] >= shape[i % dims]) return false;
    if (make.maybe(10)) all[i] -= shape[i % dims];
  }
  Integers updates = {count};
  updates.insert(updates.end(), shape.dims().begin() + static_cast<std::ptrdiff_t>(dims),
                 shape.dims().end());
  const std::string tuples = make.integers(all, Shape{count, static_cast<int64_t>(dims)});
  return make.add("ScatterND", {x, tuples, make.floats(Shape(updates))});
}

bool gather_elements(Maker& make) {
  const std::string x = make.value(1, 1);
  if (x.empty() || !make.since(11)) return false;
  return make.add("GatherElements",
                  {x, make.integers(indices(make, make.number(1, 5), dim_at(make, x, 0), true))});
}

bool gather_nd(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty() || !make.since(11)) return false;
  return make.add("GatherND", {x, make.integers(indices(make, 1, dim_at(make, x, 0), true))});
}

// Negative indices count from the end since version 11, before they are nowhere.
bool one_hot(Maker& make) {
  if (!make.since(9)) return false;
  const int64_t depth = make.number(1, 5);
  const DType type = make.one_of<DType>({DType::kInt64, DType::kInt32, DType::kFloat32});
  std::string at;
  if (make.maybe()) {
    const Integers all = indices(make, make.number(1, 4), depth + 1, true);
    at = make.integers(all, type);
  } else {
    const std::string x = make.value();
    if (!make.since(9) || !make.add("Floor", {x})) return false;
    at = make.value();
  }
  Attributes attributes;
  if (make.maybe()) attributes["axis"] = make.axis(make.shape(at).rank() + 1, 11);
  const std::string size = make.maybe() ? make.integers({depth})
                                        : make.scalar(static_cast<double>(depth), DType::kInt64);
  return make.add("OneHot", {at, size, make.list({0.25, 2}, DType::kFloat32)}, attributes);
}

bool where(Maker& make) {
  const std::string x = make.value();
  if (!make.since(9)) return false;
  Shape shape = make.shape(x);
  for (int64_t& dim : shape.dims()) dim = make.maybe() ? 1 : dim;
  std::vector<double> truths;
  for (int64_t i = 0; i < shape.elements(); ++i) truths.push_back(make.maybe() ? 1 : 0);
  if (shape.rank() != 1) return false;
  return make.add("Where", {make.list(truths, DType::kBool), x, make.floats(make.shape(x))});
}

bool triangle(Maker& make) {
  const std::string x = make.value(2);
  if (x.empty() || !make.since(14)) return false;
  Attributes attributes;
  if (make.maybe()) attributes["upper"] = make.number(0, 1);
  const auto k = static_cast<double>(make.number(-1, 1));
  return make.add("Trilu", {x, make.maybe() ? make.scalar(k, DType::kInt64) : ""}, attributes);
}

bool eye(Maker& make) {
  const std::string x = make.value(2, 2);
  if (x.empty() || !make.since(9)) return false;
  Attributes attributes;
  if (make.maybe()) attributes["k"] = make.number(-1, 1);
  if (make.maybe()) attributes["dtype"] = int64_t{6};
  return make.add("EyeLike", {x}, attributes);
}

}  // namespace

const std::vector<Adder>& indexing_adders() {
  static const std::vector<Adder> kAdders = {gather,          gather,    scatter, scatter_nd,
                                             gather_elements, gather_nd, one_hot, where,
                                             triangle,        eye};
  return kAdders;
}

}  // namespace opkit::graph_tests
