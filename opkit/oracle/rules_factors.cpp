// The rule of products of many elements, multiplied in any order. n factors are rounded n - 1
// times, so that the product is off by gamma_n at most (sum_bound.cpp), as long as no product of
// some of them leaves the type's range.
#include <algorithm>
#include <cmath>
#include <functional>

#include "opkit/oracle/float_format.h"
#include "opkit/oracle/outcome.h"
#include "opkit/oracle/sum_bound.h"

namespace opkit::oracle {
namespace {

using reference::RefTensor;

// What is known of the products, element by element.
struct Factors {
  RefTensor magnitudes;  // holds the magnitudes of the values
  RefTensor largest;     // holds the largest magnitudes that the operand's interval allows
  RefTensor grown;       // multiplies the factors above 1: no product of some factors is larger
  RefTensor shrunk;      // multiplies the factors below 1: none that is not 0 is smaller
  double count = 1;
  bool integers = false;  // all factors are
};

Result<RefTensor> product_of(const NodeCall& call, const RefTensor& from,
                             const std::function<double(double)>& factor) {
  std::vector<RefTensor> operands;
  for (const Bounded* input : call.inputs)
    operands.push_back(input == nullptr ? RefTensor() : input->value);
  std::transform(from.values.begin(), from.values.end(), operands[0].values.begin(), factor);
  OPKIT_TRY(std::vector<RefTensor> results, reevaluate(call, operands));
  return std::move(results[0]);
}

Result<Factors> factors_of(const NodeCall& call) {
  const Bounded& x = *call.inputs[0];
  const RefTensor magnitude = x.magnitude(), low = x.low(), high = x.high();
  Factors f;
  OPKIT_TRY(f.magnitudes, product_of(call, x.value, [](double v) { return std::abs(v); }));
  OPKIT_TRY(f.largest, product_of(call, magnitude, [](double v) { return v; }));
  OPKIT_TRY(f.grown, product_of(call, magnitude, [](double v) { return std::max(v, 1.0); }));
  RefTensor least = x.value;
  for (int64_t i = 0; i < least.elements(); ++i) {
    const bool crosses = low[i] < 0 && high[i] > 0;
    least[i] = crosses ? 0 : std::min(std::abs(low[i]), std::abs(high[i]));
  }
  OPKIT_TRY(f.shrunk, product_of(call, least, [](double v) { return std::min(v, 1.0); }));
  f.count = static_cast<double>(x.value.elements()) /
            static_cast<double>(std::max<int64_t>(call.values[0].elements(), 1));
  f.integers = grid_of(x).value_or(-1) >= 0;
  return f;
}

Interval product_interval(const Factors& f, double value, int64_t i, const Working& working) {
  const FloatFormat format = format_of(working.dtype);
  if (std::isnan(value)) return Interval::point(value);
  const double relative = gamma_of(f.count, format.unit) + gamma_of(f.count + 2, 0x1p-53);
  const bool may_vanish = !(f.shrunk[i] * (1 - relative) >= format.min_normal);
  if (!(f.grown[i] * (1 + relative) <= format.largest)) {
    // Some order overflows; every order does, to the same side, when the product does.
    const bool overflows = f.magnitudes[i] * (1 - relative) > format.overflow;
    const bool certain = f.magnitudes[i] == f.largest[i] && !working.saturate;
    if (!overflows || !certain || may_vanish) return Interval::anything();
    return Interval::point(std::copysign(INFINITY, value));
  }
  if (f.integers && f.grown[i] <= std::ldexp(1, format.precision)) return Interval::point(value);
  const double drift = f.largest[i] - f.magnitudes[i];
  const double vanished = may_vanish ? f.count * format.min_normal * f.grown[i] : 0;
  const bool has_zero = f.largest[i] == 0 && f.shrunk[i] == 0 && value == 0;
  return widen(Interval::point(value), relative * f.largest[i] + drift + (has_zero ? 0 : vanished));
}

}  // namespace

Result<BoundedOutputs> factor_rule(const NodeCall& call, const Bound&) {
  if (!is_float(call.values[0].dtype)) return exact_outcome(call, false);
  OPKIT_TRY(const Factors factors, factors_of(call));
  BoundedOutputs outcome = exact_outcome(call, true);
  Bounded& out = outcome[0];
  for (int64_t i = 0; i < out.value.elements(); ++i)
    out.bounds.push_back(product_interval(factors, out.value[i], i, call.working));
  OPKIT_CHECK(judge_nan(call, out));
  return outcome;
}

}  // namespace opkit::oracle
