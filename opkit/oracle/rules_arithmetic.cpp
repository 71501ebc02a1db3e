// Rules of arithmetic with broadcasting.
#include <algorithm>
#include <memory>

#include "opkit/oracle/float_format.h"
#include "opkit/oracle/outcome.h"
#include "opkit/oracle/sum_bound.h"

namespace opkit::oracle {
namespace {

using reference::RefTensor;

// Returns for each element of `to` the element of `from` that broadcasts to it (trailing dims
// aligned).
std::vector<int64_t> broadcast_map(const Shape& from, const Shape& to) {
  const size_t extra = to.rank() - from.rank();
  std::vector<int64_t> stride(to.rank(), 0);
  int64_t step = 1;
  for (size_t d = from.rank(); d-- > 0;) {
    stride[d + extra] = from[d] == 1 ? 0 : step;
    step *= from[d];
  }
  std::vector<int64_t> map(static_cast<size_t>(to.elements())), index(to.rank(), 0);
  int64_t at = 0;
  for (int64_t& entry : map) {
    entry = at;
    for (size_t d = to.rank(); d-- > 0;) {
      at += stride[d];
      if (++index[d] < to[d]) break;
      at -= stride[d] * to[d];
      index[d] = 0;
    }
  }
  return map;
}

Interval combined(std::string_view op, const Interval& a, const Interval& b) {
  if (op == "Add" || op == "Sum" || op == "Mean") return add(a, b);
  if (op == "Sub") return subtract(a, b);
  if (op == "Mul") return multiply(a, b);
  return divide(a, b);
}

// A quotient that the working type holds needs no allowance.
Interval with_error(const Interval& c, const Bound& bound, const Working& working) {
  if (bound.ulps == 0 || c.is_nan()) return c;
  if (c.is_point() && round_to(working.dtype, c.lo, false) == c.lo) return c;
  return finished(widen(c, function_error(bound, working, c)), c.lo, working, true);
}

std::vector<Interval> combine(const NodeCall& call, const Bound& bound) {
  const Bounded &a = *call.inputs[0], &b = *call.inputs[1];
  const RefTensor& value = call.values[0];
  const auto a_map = broadcast_map(a.value.shape, value.shape);
  const auto b_map = broadcast_map(b.value.shape, value.shape);
  std::vector<Interval> bounds(value.values.size());
  for (size_t i = 0; i < bounds.size(); ++i) {
    const Interval c = combined(call.node.op_type, a.at(a_map[i]), b.at(b_map[i]));
    bounds[i] = hull(with_error(c, bound, call.working), Interval::point(value.values[i]));
    if (c.is_nan() && std::isnan(value.values[i])) bounds[i] = c;
  }
  return bounds;
}

// An operand as a part of a longer sum.
struct Part {
  const Bounded& operand;
  std::vector<int64_t> map;  // leads to its elements
  RefTensor magnitude, radius;

  Part(const Bounded& of, const RefTensor& value)
      : operand(of),
        map(broadcast_map(of.value.shape, value.shape)),
        magnitude(of.open ? of.open->magnitudes : of.magnitude()),
        radius(of.open ? of.open->drift : of.radius()) {}

  double terms() const { return operand.open ? operand.open->terms : 1; }
  double further() const { return operand.open ? operand.open->further : 0; }
  std::optional<int> grid() const { return operand.open ? operand.open->grid : grid_of(operand); }
  double finite_at(size_t i) const {
    if (operand.open) return operand.open->finite_at(map[i]);
    return std::isfinite(magnitude[map[i]]) ? magnitude[map[i]] : 0;
  }
};

// What is added to a sum may be one of its terms: a matrix product that starts from its bias.
Sum longer_sum(const Bounded& a, const Bounded& b, const RefTensor& value) {
  const Part one(a, value), other(b, value);
  Sum sum;
  sum.magnitudes = sum.drift = sum.finite = value;
  for (size_t i = 0; i < value.values.size(); ++i) {
    sum.magnitudes.values[i] = one.magnitude[one.map[i]] + other.magnitude[other.map[i]];
    sum.drift.values[i] = one.radius[one.map[i]] + other.radius[other.map[i]];
    sum.finite.values[i] = one.finite_at(i) + other.finite_at(i);
  }
  if (one.grid() && other.grid()) sum.grid = std::min(*one.grid(), *other.grid());
  sum.terms = one.terms() + other.terms();
  sum.further = one.further() + other.further();
  return sum;
}

void add_to_sum(const NodeCall& call, Bounded& out) {
  auto sum = std::make_shared<const Sum>(longer_sum(*call.inputs[0], *call.inputs[1], out.value));
  for (int64_t i = 0; i < out.value.elements(); ++i) {
    Interval& c = out.bounds[static_cast<size_t>(i)];
    if (!std::isnan(out.value[i])) c = hull(c, sum_interval(*sum, out.value[i], i, call.working));
  }
  out.open = std::move(sum);
}

BoundedOutputs single(RefTensor value, std::vector<Interval> bounds, bool pending) {
  Bounded out = Bounded::exactly(std::move(value));
  out.bounds = std::move(bounds);
  out.pending = pending;
  return {std::move(out)};
}

}  // namespace

Result<BoundedOutputs> binary_rule(const NodeCall& call, const Bound& bound) {
  if (!is_float(call.values[0].dtype)) return outcome_of_ends(call, false);
  BoundedOutputs outcome = single(call.values[0], combine(call, bound), true);
  const bool open = call.inputs[0]->open || call.inputs[1]->open;
  if (open && (call.node.op_type == "Add" || call.node.op_type == "Sub"))
    add_to_sum(call, outcome[0]);
  return outcome;
}

// Bounds any function of two operands that is monotone in each of them within their intervals.
Result<BoundedOutputs> power_rule(const NodeCall& call, const Bound& bound) {
  if (!is_float(call.values[0].dtype)) return outcome_of_ends(call, false);
  OPKIT_TRY(BoundedOutputs outcome, outcome_of_ends(call, true));
  std::vector<RefTensor> crossed = operands_at(call, End::kLow);
  crossed[1] = call.inputs[1]->high();
  OPKIT_TRY(const std::vector<RefTensor> one, reevaluate(call, crossed));
  crossed = operands_at(call, End::kHigh);
  crossed[1] = call.inputs[1]->low();
  OPKIT_TRY(const std::vector<RefTensor> other, reevaluate(call, crossed));
  Bounded& out = outcome[0];
  std::vector<Interval> bounds(out.value.values.size());
  for (size_t i = 0; i < bounds.size(); ++i) {
    Interval c = out.at(static_cast<int64_t>(i));
    c = hull(hull(c, Interval::point(one[0].values[i])), Interval::point(other[0].values[i]));
    const bool held = c.is_point() && round_to(call.working.dtype, c.lo, false) == c.lo;
    const double error = held ? 0 : function_error(bound, call.working, c);
    bounds[i] = finished(widen(c, error), out.value.values[i], call.working, true);
  }
  out.bounds = std::move(bounds);
  return outcome;
}

// Partial results are rounded, one after the other in the order of the operands or any other.
Result<BoundedOutputs> fold_rule(const NodeCall& call, const Bound&) {
  Bounded sum = *call.inputs[0];
  double unit = 0;
  for (size_t k = 1; k < call.inputs.size(); ++k) {
    RefTensor shape = call.values[0];
    shape.values.assign(shape.values.size(), NAN);
    std::vector<Interval> bounds(call.values[0].values.size());
    const auto a_map = broadcast_map(sum.value.shape, call.values[0].shape);
    const auto b_map = broadcast_map(call.inputs[k]->value.shape, call.values[0].shape);
    for (size_t i = 0; i < bounds.size(); ++i)
      bounds[i] = add(sum.at(a_map[i]), call.inputs[k]->at(b_map[i]));
    sum = single(shape, std::move(bounds), true)[0];
    if (k + 1 < call.inputs.size()) sum = settle(sum, call.working);
    unit += 1;
  }
  std::vector<Interval> bounds(call.values[0].values.size());
  const Interval count = Interval::point(static_cast<double>(call.inputs.size()));
  for (size_t i = 0; i < bounds.size(); ++i) {
    Interval c = sum.at(static_cast<int64_t>(i));
    if (call.node.op_type == "Mean") c = divide(settle(c, call.working), count);
    // Another order of more than two operands rounds other partial sums.
    double size = 0;
    if (unit > 1 && !c.is_nan()) size = std::max(std::abs(c.lo), std::abs(c.hi));
    const double error =
        std::isfinite(size) && unit > 1 ? unit * ulp_at(call.working.dtype, size) : 0;
    bounds[i] = hull(widen(c, error), Interval::point(call.values[0].values[i]));
  }
  return single(call.values[0], std::move(bounds), true);
}

Result<BoundedOutputs> negate_rule(const NodeCall& call, const Bound&) {
  return outcome_of_ends(call, any_pending(call));
}

// Within an interval that holds 0 the smallest magnitude is 0.
Result<BoundedOutputs> magnitude_rule(const NodeCall& call, const Bound&) {
  OPKIT_TRY(BoundedOutputs outcome, outcome_of_ends(call, any_pending(call)));
  for (size_t i = 0; i < outcome[0].bounds.size(); ++i) {
    const Interval c = call.inputs[0]->at(static_cast<int64_t>(i));
    if (c.lo <= 0 && c.hi >= 0) outcome[0].bounds[i].lo = 0;
  }
  return outcome;
}

Result<BoundedOutputs> reciprocal_rule(const NodeCall& call, const Bound& bound) {
  std::vector<Interval> bounds(call.values[0].values.size());
  for (size_t i = 0; i < bounds.size(); ++i) {
    const Interval c = divide(Interval::point(1), call.inputs[0]->at(static_cast<int64_t>(i)));
    bounds[i] = hull(with_error(c, bound, call.working), Interval::point(call.values[0].values[i]));
  }
  return single(call.values[0], std::move(bounds), true);
}

}  // namespace opkit::oracle
