#include "opkit/oracle/outcome.h"

#include <algorithm>

#include "opkit/oracle/float_format.h"

namespace opkit::oracle {
namespace {

using reference::RefTensor;

bool uncertain_nan(const Bounded& tensor) {
  return std::any_of(tensor.bounds.begin(), tensor.bounds.end(),
                     [](const Interval& c) { return c.may_be_nan && !c.is_nan(); });
}

RefTensor nan_marked(const Bounded& tensor) {
  RefTensor out = tensor.value;
  for (int64_t i = 0; i < out.elements(); ++i) {
    if (tensor.at(i).may_be_nan) out[i] = NAN;
  }
  return out;
}

Interval between(double a, double b, double value) {
  if (std::isnan(a) && std::isnan(b)) return Interval::point(NAN);
  Interval c = hull(Interval::point(a), Interval::point(b));
  return hull(c, Interval::point(value));
}

bool any_nan(const RefTensor& tensor) {
  return std::any_of(tensor.values.begin(), tensor.values.end(),
                     [](double value) { return std::isnan(value); });
}

}  // namespace

bool all_exact(const NodeCall& call) {
  return std::all_of(call.inputs.begin(), call.inputs.end(),
                     [](const Bounded* input) { return input == nullptr || input->is_exact(); });
}

bool any_pending(const NodeCall& call) {
  return std::any_of(call.inputs.begin(), call.inputs.end(), [](const Bounded* input) {
    return input != nullptr && input->pending && is_float(input->value.dtype);
  });
}

bool nan_possible(const NodeCall& call) {
  return std::any_of(call.inputs.begin(), call.inputs.end(), [](const Bounded* input) {
    return input != nullptr && uncertain_nan(*input);
  });
}

BoundedOutputs exact_outcome(const NodeCall& call, bool pending) {
  BoundedOutputs outcome;
  for (const RefTensor& value : call.values) {
    outcome.push_back(Bounded::exactly(value));
    outcome.back().pending = pending && is_float(value.dtype);
  }
  return outcome;
}

std::vector<RefTensor> operands_at(const NodeCall& call, End end) {
  std::vector<RefTensor> operands;
  for (const Bounded* input : call.inputs) {
    if (input == nullptr) {
      operands.emplace_back();
    } else if (end == End::kNan) {
      operands.push_back(nan_marked(*input));
    } else {
      operands.push_back(end == End::kLow ? input->low() : input->high());
    }
  }
  return operands;
}

Result<BoundedOutputs> outcome_of_ends(const NodeCall& call, bool pending) {
  if (all_exact(call)) return exact_outcome(call, pending);
  OPKIT_TRY(const std::vector<RefTensor> low, reevaluate(call, operands_at(call, End::kLow)));
  OPKIT_TRY(const std::vector<RefTensor> high, reevaluate(call, operands_at(call, End::kHigh)));
  std::vector<RefTensor> marked;
  const bool uncertain = nan_possible(call);
  if (uncertain) {
    OPKIT_TRY(marked, reevaluate(call, operands_at(call, End::kNan)));
  }
  BoundedOutputs outcome = exact_outcome(call, pending);
  for (size_t o = 0; o < outcome.size(); ++o) {
    Bounded& out = outcome[o];
    out.bounds.resize(out.value.values.size());
    for (size_t i = 0; i < out.bounds.size(); ++i) {
      out.bounds[i] = between(low[o].values[i], high[o].values[i], out.value.values[i]);
      if (uncertain && std::isnan(marked[o].values[i])) out.bounds[i].may_be_nan = true;
    }
  }
  return outcome;
}

double function_error(const Bound& bound, const Working& working, const Interval& c) {
  const double largest = std::max(std::abs(c.lo), std::abs(c.hi));
  if (std::isnan(largest)) return 0;
  return bound.ulps * ulp_at(working.dtype, std::isinf(largest) ? 0 : largest) +
         bound.absolute * format_of(working.dtype).unit;
}

Interval finished(Interval c, double value, const Working& working, bool may_flush) {
  c = hull(c, Interval::point(value));
  const double normal = format_of(working.dtype).min_normal;
  if (!may_flush || c.is_nan()) return c;
  if (c.lo > 0 && c.lo < normal) c.lo = 0;
  if (c.hi < 0 && c.hi > -normal) c.hi = 0;
  return c;
}

Status judge_nan(const NodeCall& call, Bounded& out) {
  if (nan_possible(call)) {
    OPKIT_TRY(const std::vector<RefTensor> marked, reevaluate(call, operands_at(call, End::kNan)));
    for (size_t i = 0; i < out.bounds.size(); ++i)
      if (std::isnan(marked[0].values[i])) out.bounds[i].may_be_nan = true;
  }
  if (all_exact(call) || !any_nan(out.value)) return {};
  for (const End end : {End::kLow, End::kHigh}) {
    OPKIT_TRY(const std::vector<RefTensor> results, reevaluate(call, operands_at(call, end)));
    for (size_t i = 0; i < out.bounds.size(); ++i) {
      if (std::isnan(out.value.values[i]) && !std::isnan(results[0].values[i]))
        out.bounds[i] = Interval::anything();
    }
  }
  return {};
}

}  // namespace opkit::oracle
