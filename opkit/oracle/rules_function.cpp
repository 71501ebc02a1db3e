// Rules of operators that act on each element or move elements.
#include <algorithm>

#include "opkit/oracle/float_format.h"
#include "opkit/oracle/outcome.h"

namespace opkit::oracle {
namespace {

using reference::RefTensor;

// Truth values that the operands leave open may be either.
void open_where_different(const std::vector<RefTensor>& other, BoundedOutputs& outcome) {
  for (size_t o = 0; o < outcome.size(); ++o) {
    Bounded& out = outcome[o];
    for (int64_t i = 0; i < out.value.elements(); ++i) {
      const double a = out.value[i], b = other[o][i];
      if (out.bounds.empty() && a == b) continue;
      if (out.bounds.empty()) {
        for (double value : out.value.values) out.bounds.push_back(Interval::point(value));
      }
      Interval& c = out.bounds[static_cast<size_t>(i)];
      c = hull(c, Interval::point(b));
    }
  }
}

bool is_certain(const Bounded& tensor) {
  return std::all_of(tensor.bounds.begin(), tensor.bounds.end(),
                     [](const Interval& c) { return c.is_point() || c.is_nan(); });
}

// x times something that is 0 at minus infinity: a kernel gets NaN from -inf * 0 there, or 0 when
// it takes another way; and wherever the operand may have overflowed.
bool vanishes_at_minus_infinity(std::string_view op) {
  return op == "Gelu" || op == "Silu" || op == "Swish" || op == "Mish" || op == "HardSwish";
}

}  // namespace

Result<BoundedOutputs> move_rule(const NodeCall& call, const Bound&) {
  return outcome_of_ends(call, any_pending(call));
}

Result<BoundedOutputs> monotone_rule(const NodeCall& call, const Bound& bound) {
  OPKIT_TRY(BoundedOutputs outcome, outcome_of_ends(call, true));
  for (Bounded& out : outcome) {
    std::vector<Interval> bounds(out.value.values.size());
    for (size_t i = 0; i < bounds.size(); ++i) {
      const Interval c = out.at(static_cast<int64_t>(i));
      bounds[i] = finished(widen(c, function_error(bound, call.working, c)), out.value.values[i],
                           call.working, true);
    }
    out.bounds = std::move(bounds);
  }
  return outcome;
}

Result<BoundedOutputs> lipschitz_rule(const NodeCall& call, const Bound& bound) {
  BoundedOutputs outcome = exact_outcome(call, true);
  const double unit = format_of(call.working.dtype).unit;
  const Bounded& input = *call.inputs[0];
  const RefTensor radius = input.radius();
  Bound relative = bound;
  relative.absolute = 0;  // here it grows with the operand
  for (Bounded& out : outcome) {
    out.bounds.resize(out.value.values.size());
    for (int64_t i = 0; i < out.value.elements(); ++i) {
      const Interval at = Interval::point(out.value[i]);
      const double scaled = std::isfinite(input.value[i]) ? std::abs(input.value[i]) : 0;
      const double error = bound.slope * radius[i] + function_error(relative, call.working, at) +
                           bound.absolute * unit * scaled;
      Interval c = finished(widen(at, error), out.value[i], call.working, true);
      c.may_be_nan = c.may_be_nan || input.at(i).may_be_nan;
      if (vanishes_at_minus_infinity(call.node.op_type) && input.at(i).lo == -INFINITY) {
        c = hull(c, Interval::point(0));
        c.may_be_nan = true;
      }
      out.bounds[static_cast<size_t>(i)] = c;
    }
  }
  return outcome;
}

// Decided when every corner of two operands agrees.
Result<BoundedOutputs> compare_rule(const NodeCall& call, const Bound&) {
  BoundedOutputs outcome = exact_outcome(call, false);
  if (all_exact(call)) return outcome;
  std::vector<RefTensor> low = operands_at(call, End::kLow), high = operands_at(call, End::kHigh);
  OPKIT_TRY(const std::vector<RefTensor> at_low, reevaluate(call, low));
  OPKIT_TRY(const std::vector<RefTensor> at_high, reevaluate(call, high));
  open_where_different(at_low, outcome);
  open_where_different(at_high, outcome);
  if (low.size() != 2) return outcome;
  std::swap(low[1], high[1]);
  OPKIT_TRY(const std::vector<RefTensor> crossed, reevaluate(call, low));
  OPKIT_TRY(const std::vector<RefTensor> other, reevaluate(call, high));
  open_where_different(crossed, outcome);
  open_where_different(other, outcome);
  return outcome;
}

// No rounding happens; what comes of an operand that has several values is open.
Result<BoundedOutputs> certain_rule(const NodeCall& call, const Bound&) {
  BoundedOutputs outcome = exact_outcome(call, false);
  const bool certain = std::all_of(call.inputs.begin(), call.inputs.end(),
                                   [](const Bounded* x) { return x == nullptr || is_certain(*x); });
  if (certain) return outcome;
  for (Bounded& out : outcome) out.bounds.assign(out.value.values.size(), Interval::anything());
  return outcome;
}

// The values rise with every operand; where uncertain ones lie is open.
Result<BoundedOutputs> rank_rule(const NodeCall& call, const Bound&) {
  OPKIT_TRY(BoundedOutputs outcome, outcome_of_ends(call, any_pending(call)));
  if (is_certain(*call.inputs[0])) return outcome;
  const Shape& x = call.inputs[0]->value.shape;
  const auto stated = call.node.attributes.find("axis");
  const int64_t axis =
      stated == call.node.attributes.end() ? -1 : std::get<int64_t>(stated->second);
  const int64_t place = axis < 0 ? axis + static_cast<int64_t>(x.rank()) : axis;
  const auto last = static_cast<double>(x[static_cast<size_t>(place)] - 1);
  Bounded& places = outcome[1];
  places.bounds.assign(places.value.values.size(), {0, last, false});
  return outcome;
}

// An undecided condition leaves both branches possible.
Result<BoundedOutputs> where_rule(const NodeCall& call, const Bound&) {
  if (call.inputs[0]->is_exact()) return outcome_of_ends(call, any_pending(call));
  BoundedOutputs joined;
  for (const double condition : {0.0, 1.0}) {
    Bounded fixed = *call.inputs[0];
    Bounded decided = fixed;
    decided.bounds.clear();
    for (int64_t i = 0; i < fixed.value.elements(); ++i) {
      const Interval c = fixed.at(i);
      if (!c.is_point()) decided.value[i] = condition;
    }
    NodeCall one = call;
    one.inputs[0] = &decided;
    OPKIT_TRY(one.values, reevaluate(one, operands_at(one, End::kLow)));
    OPKIT_TRY(BoundedOutputs branch, outcome_of_ends(one, any_pending(call)));
    if (joined.empty()) {
      joined = exact_outcome(call, any_pending(call));
      for (int64_t i = 0; i < joined[0].value.elements(); ++i)
        joined[0].bounds.push_back(hull(branch[0].at(i), Interval::point(joined[0].value[i])));
    } else {
      for (size_t i = 0; i < joined[0].bounds.size(); ++i)
        joined[0].bounds[i] = hull(joined[0].bounds[i], branch[0].at(static_cast<int64_t>(i)));
    }
  }
  return joined;
}

// A conversion is a monotone step; to a floating type it is the rounding that the contract asks
// for.
Result<BoundedOutputs> cast_rule(const NodeCall& call, const Bound&) {
  if (call.node.op_type != "QuantizeLinear") return outcome_of_ends(call, false);
  NodeCall scaled = call;  // the quotient x / scale is rounded before it is rounded to an integer
  Bounded x = *call.inputs[0];
  x.bounds.resize(x.value.values.size());
  for (size_t i = 0; i < x.bounds.size(); ++i) {
    const Interval c = call.inputs[0]->at(static_cast<int64_t>(i));
    const double size = std::max(std::abs(c.lo), std::abs(c.hi));
    x.bounds[i] = std::isfinite(size) ? widen(c, 2 * ulp_at(call.working.dtype, size)) : c;
  }
  scaled.inputs[0] = &x;
  return outcome_of_ends(scaled, false);
}

}  // namespace opkit::oracle
