// ArgMax, ArgMin, TopK: positions along an axis.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "opkit/reference/index.h"
#include "opkit/reference/operators.h"

namespace opkit::reference {
namespace {

// The runs of elements along one axis.
struct Runs {
  int64_t outer, count, inner;
  int64_t at(int64_t run, int64_t k) const { return at(run, k, count); }
  // In a tensor whose axis has another size.
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

Result<Outputs> arg_extreme(const Call& call, bool largest) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis", 0), x.shape.rank()));
  const bool last = call.integer("select_last_index", 0) != 0;
  if (x.shape[axis] == 0) {
    return call.error(kUndefinedResult, "no element to choose from", "give a non-empty axis");
  }
  Shape shape = x.shape;
  shape[axis] = 1;
  OPKIT_TRY(RefTensor out, call.make(DType::kInt64, shape));
  const Runs runs = runs_of(x.shape, axis);
  for (int64_t run = 0; run < runs.runs(); ++run) {
    int64_t best = 0;
    for (int64_t k = 1; k < runs.count; ++k) {
      const double value = x[runs.at(run, k)], champion = x[runs.at(run, best)];
      if (before(value, champion, largest) || (last && !before(champion, value, largest))) best = k;
    }
    out[run] = static_cast<double>(best);
  }
  if (call.integer("keepdims", 1) == 0) {
    out.shape.dims().erase(out.shape.dims().begin() + static_cast<int64_t>(axis));
  }
  return only(std::move(out));
}

Result<Outputs> arg_max(const Call& call) { return arg_extreme(call, true); }
Result<Outputs> arg_min(const Call& call) { return arg_extreme(call, false); }

// k is an attribute before version 10, an input since. Of equal elements the lower index comes
// first; unsorted results are returned sorted.
Result<Outputs> top_k(const Call& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis", -1), x.shape.rank()));
  int64_t k = call.integer("k", -1);
  if (call.has_input(1)) {
    OPKIT_TRY(k, call.integer_of(1));
  }
  if (k < 0 || k > x.shape[axis]) {
    return call.attribute_error("k = " + std::to_string(k) + " of an axis of " +
                                std::to_string(x.shape[axis]));
  }
  const bool largest = call.integer("largest", 1) != 0;
  Shape shape = x.shape;
  shape[axis] = k;
  OPKIT_TRY(RefTensor values, call.make(x.dtype, shape));
  OPKIT_TRY(RefTensor indices, call.make(DType::kInt64, shape));
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

}  // namespace

Operators search_operators() {
  using enum AttributeKind;
  const std::vector<AttributeSpec> arg = {
      {"axis", kInteger}, {"keepdims", kInteger}, {"select_last_index", kInteger}};
  return {
      {"ArgMax", 1, 1, 1, arg, arg_max},
      {"ArgMin", 1, 1, 1, arg, arg_min},
      {"TopK",
       1,
       2,
       2,
       {{"axis", kInteger}, {"k", kInteger}, {"largest", kInteger}, {"sorted", kInteger}},
       top_k},
  };
}

}  // namespace opkit::reference
