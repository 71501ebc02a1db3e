// ArgMax, ArgMin, TopK: positions along an axis.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

// The runs of elements along one axis.
struct Runs {
  int64_t outer, count, inner;
  int64_t at(int64_t run, int64_t k) const { return at(run, k, count); }
  // Returns the place of an element in a tensor whose axis has another size.
  int64_t at(int64_t run, int64_t k, int64_t size) const {
    return (run / inner * size + k) * inner + run % inner;
  }
  int64_t runs() const { return outer * inner; }
};

Runs runs_of(const Shape& shape, size_t axis) {
  return {product(shape, 0, axis), shape[axis], product(shape, axis + 1, shape.rank())};
}

// NaN counts as the most extreme value.
bool before(double a, double b, bool largest) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
  return largest ? a > b : a < b;
}

Result<Outputs> arg_extreme(const OperatorCall& call, bool largest) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), x.shape.rank()));
  const bool last = call.integer("select_last_index") != 0;
  if (x.shape[axis] == 0) {
    return call.error(kUndefinedResult, "no element to choose from", "give a non-empty axis");
  }
  OPKIT_TRY(RefTensor out, call.result());
  const Runs runs = runs_of(x.shape, axis);
  for (int64_t run = 0; run < runs.runs(); ++run) {
    int64_t best = 0;
    for (int64_t k = 1; k < runs.count; ++k) {
      const double value = x[runs.at(run, k)], champion = x[runs.at(run, best)];
      if (before(value, champion, largest) || (last && !before(champion, value, largest))) best = k;
    }
    out[run] = static_cast<double>(best);
  }
  return only(std::move(out));
}

Result<Outputs> arg_max(const OperatorCall& call) { return arg_extreme(call, true); }
Result<Outputs> arg_min(const OperatorCall& call) { return arg_extreme(call, false); }

// k is an attribute before version 10, an input since.
Result<int64_t> count_of(const OperatorCall& call) {
  if (call.has_input(1)) return call.integer_of(1);
  return call.integer("k", -1);
}

// Puts the lower index first among equal elements, and returns unsorted results sorted.
Result<Outputs> top_k(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), x.shape.rank()));
  OPKIT_TRY(const int64_t k, count_of(call));
  const bool largest = call.integer("largest") != 0;
  OPKIT_TRY(RefTensor values, call.result(0));
  OPKIT_TRY(RefTensor indices, call.result(1));
  const Runs runs = runs_of(x.shape, axis);
  std::vector<int64_t> order(static_cast<size_t>(runs.count));
  for (int64_t run = 0; run < runs.runs(); ++run) {
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return before(x[runs.at(run, a)], x[runs.at(run, b)], largest);
    });
    for (int64_t i = 0; i < k; ++i) {
      values[runs.at(run, i, k)] = x[runs.at(run, order[i])];
      indices[runs.at(run, i, k)] = static_cast<double>(order[i]);
    }
  }
  return Outputs{std::move(values), std::move(indices)};
}

Result<DTypes> position_type(const OperatorCall&) { return DTypes{DType::kInt64}; }

Result<Shapes> arg_shape(const OperatorCall& call) {
  Shape shape = call.input(0).shape;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), shape.rank()));
  shape[axis] = 1;
  if (call.integer("keepdims") == 0)
    shape.dims().erase(shape.dims().begin() + static_cast<int64_t>(axis));
  return one(std::move(shape));
}

Result<DTypes> top_k_types(const OperatorCall& call) {
  return DTypes{call.input(0).dtype, DType::kInt64};
}

Result<Shapes> top_k_shapes(const OperatorCall& call) {
  Shape shape = call.input(0).shape;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), shape.rank()));
  if (call.has_input(1)) OPKIT_CHECK(call.require_one_element(1));
  if (!call.known(1)) return Shapes();
  OPKIT_TRY(const int64_t k, count_of(call));
  if (k < 0 || k > shape[axis]) {
    return call.attribute_error("k = " + std::to_string(k) + " of an axis of " +
                                std::to_string(shape[axis]));
  }
  shape[axis] = k;
  return Shapes({shape, shape});
}

}  // namespace

Operators search_operators() {
  const auto arg_row = [](std::string_view name, Result<Outputs> (*f)(const OperatorCall&)) {
    return Operator{
        .name = name,
        .attributes = {integer("axis", 0), integer("keepdims", 1), integer("select_last_index", 0)},
        .evaluate = f,
        .types = position_type,
        .shapes = arg_shape,
        .bound = Bound::compared()};
  };
  return {
      arg_row("ArgMax", arg_max),
      arg_row("ArgMin", arg_min),
      {.name = "TopK",
       .most_inputs = 2,
       .most_outputs = 2,
       .attributes = {integer("axis", -1), integer("k"), integer("largest", 1),
                      integer("sorted", 1)},
       .evaluate = top_k,
       .types = top_k_types,
       .shapes = top_k_shapes,
       .bound = Bound::by(BoundRule::kRank, "exact")},
  };
}

}  // namespace opkit::reference
