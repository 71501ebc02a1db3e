// A sum of n terms in a type with unit u, in any order, is off by at most gamma_n times the sum of
// the magnitudes, gamma_n = n u / (1 - n u) (Higham, "Accuracy and Stability of Numerical
// Algorithms", chapter 4). Terms that are multiples of one power of two and whose magnitudes add up
// to at most 2^precision of it are added without any error.
#include "opkit/oracle/sum_bound.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "opkit/oracle/float_format.h"

namespace opkit::oracle {
namespace {

bool without_error(const Sum& sum, double magnitude, const Working& working) {
  if (!sum.grid || sum.further > 0) return false;
  const double total = sum.scaled ? magnitude * sum.terms : magnitude;
  if (total > format_of(working.dtype).largest) return false;
  return total <= std::ldexp(1, std::min(*sum.grid + format_of(working.dtype).precision, 1023));
}

}  // namespace

double gamma_of(double n, double unit) {
  return n * unit < 0.5 ? n * unit / (1 - n * unit) : INFINITY;
}

Interval sum_interval(const Sum& sum, double value, int64_t i, const Working& working) {
  const FloatFormat format = format_of(working.dtype);
  const double magnitude = sum.magnitudes[i];
  if (std::isnan(value)) return Interval::point(value);
  if (std::isnan(magnitude)) return Interval::anything();
  // A term that may be infinite need not be.
  if (std::isinf(value) && std::isinf(sum.drift[i])) return Interval::anything();
  // Finite terms may overflow to the other infinity, those of a mean before it is divided.
  const double finite = sum.finite_at(i) * (sum.scaled ? sum.terms : 1);
  if (std::isinf(value)) return {value, value, !(finite <= format.largest)};
  if (without_error(sum, magnitude, working) && sum.drift[i] == 0) {
    const Interval exact = Interval::point(value);
    const bool power_of_two = std::exp2(std::round(std::log2(sum.terms))) == sum.terms;
    return !sum.scaled || power_of_two ? exact : widen(exact, 2 * ulp_at(working.dtype, value));
  }
  const double roundings = sum.terms + sum.further + (sum.scaled ? 2 : 0);
  const double relative = gamma_of(roundings, format.unit) + gamma_of(roundings + 2, 0x1p-53);
  const double tiny = roundings * ulp_at(working.dtype, 0);  // products in the subnormal range
  const double radius = relative * (magnitude + sum.drift[i]) + sum.drift[i] + tiny;
  // Beyond the working type's range some order of the terms overflows on the way.
  const double peak = (magnitude + radius) * (sum.scaled ? sum.terms : 1);
  if (!(peak <= format.largest)) {
    if (working.saturate) return Interval::anything();
    // Terms of the other sign that double arithmetic has absorbed must not overflow either.
    const bool one_sided = magnitude * (roundings + 2) * 0x1p-53 <= format.largest;
    if (one_sided && value == magnitude) return {value - radius, INFINITY, false};
    if (one_sided && value == -magnitude) return {-INFINITY, value + radius, false};
    return Interval::anything();
  }
  return widen(Interval::point(value), radius);
}

std::optional<int> grid_of(const Bounded& tensor) {
  if (!tensor.is_exact()) {
    for (const Interval& c : tensor.bounds) {
      if (!c.is_point()) return std::nullopt;
    }
  }
  int grid = 2000;
  for (double value : tensor.value.values) {
    if (!std::isfinite(value)) return std::nullopt;
    if (value == 0) continue;
    int exponent = 0;
    const auto digits =
        static_cast<int64_t>(std::ldexp(std::frexp(std::abs(value), &exponent), 53));
    grid = std::min(grid, exponent - 53 + __builtin_ctzll(static_cast<uint64_t>(digits)));
  }
  return grid;
}

double Sum::finite_at(int64_t i) const {
  if (!finite.values.empty()) return finite[i];
  return std::isfinite(magnitudes[i]) ? magnitudes[i] : 0;
}

}  // namespace opkit::oracle
