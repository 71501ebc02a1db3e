#include "opkit/oracle/interval.h"

#include <algorithm>
#include <array>

namespace opkit::oracle {
namespace {

double down(double x) { return std::nextafter(x, -INFINITY); }
double up(double x) { return std::nextafter(x, INFINITY); }

bool exact_sum(double a, double b, double sum) {
  const double part = sum - a;
  return (a - (sum - part)) + (b - part) == 0;
}
bool exact_product(double a, double b, double product) {
  return std::fma(a, b, -product) == 0 && (product != 0 || a == 0 || b == 0);
}
bool exact_quotient(double a, double b, double quotient) {
  return std::fma(quotient, b, -a) == 0 && (quotient != 0 || a == 0);
}

struct Rounded {
  double lo, hi;
};

Rounded outward(double value, bool exact) {
  if (exact || !std::isfinite(value)) return {value, value};
  return {down(value), up(value)};
}
Rounded sum_of(double a, double b) { return outward(a + b, exact_sum(a, b, a + b)); }
Rounded product_of(double a, double b) { return outward(a * b, exact_product(a, b, a * b)); }
Rounded quotient_of(double a, double b) { return outward(a / b, exact_quotient(a, b, a / b)); }

// Returns the corners that are numbers; NaN corners make NaN possible.
Interval from_corners(const std::array<Rounded, 4>& corners) {
  Interval result{INFINITY, -INFINITY, false};
  bool any = false;
  for (const Rounded& corner : corners) {
    if (std::isnan(corner.lo)) {
      result.may_be_nan = true;
      continue;
    }
    any = true;
    result.lo = std::min(result.lo, corner.lo);
    result.hi = std::max(result.hi, corner.hi);
  }
  return any ? result : Interval::point(NAN);
}

Interval with_nan_of(Interval result, Interval a, Interval b) {
  result.may_be_nan = result.may_be_nan || a.may_be_nan || b.may_be_nan;
  return result;
}

}  // namespace

Interval add(Interval a, Interval b) {
  if (a.is_nan() || b.is_nan()) return Interval::point(NAN);
  const double lo = sum_of(a.lo, b.lo).lo, hi = sum_of(a.hi, b.hi).hi;
  if (std::isnan(lo) && std::isnan(hi) && a.lo == a.hi && b.lo == b.hi) return Interval::point(NAN);
  Interval result{std::isnan(lo) ? -INFINITY : lo, std::isnan(hi) ? INFINITY : hi, false};
  const bool cancels =
      (a.lo == -INFINITY && b.hi == INFINITY) || (a.hi == INFINITY && b.lo == -INFINITY);
  result.may_be_nan = cancels;
  return with_nan_of(result, a, b);
}

Interval subtract(Interval a, Interval b) { return add(a, {-b.hi, -b.lo, b.may_be_nan}); }

Interval multiply(Interval a, Interval b) {
  if (a.is_nan() || b.is_nan()) return Interval::point(NAN);
  Interval result = from_corners({product_of(a.lo, b.lo), product_of(a.lo, b.hi),
                                  product_of(a.hi, b.lo), product_of(a.hi, b.hi)});
  if (result.is_nan() && !(a.lo == a.hi && b.lo == b.hi)) return Interval::anything();
  // 0 inside one factor and infinity at the end of the other: 0 * inf is possible.
  const bool a_zero = a.lo <= 0 && a.hi >= 0, b_zero = b.lo <= 0 && b.hi >= 0;
  const bool a_inf = std::isinf(a.lo) || std::isinf(a.hi);
  const bool b_inf = std::isinf(b.lo) || std::isinf(b.hi);
  if ((a_zero && b_inf) || (b_zero && a_inf)) result.may_be_nan = true;
  return with_nan_of(result, a, b);
}

Interval divide(Interval a, Interval b) {
  if (a.is_nan() || b.is_nan()) return Interval::point(NAN);
  const bool zero_point = b.lo == 0 && b.hi == 0;
  if (!zero_point && b.lo <= 0 && b.hi >= 0) return Interval::anything();
  if (zero_point && a.lo < 0 && a.hi > 0) return Interval::anything();
  const Interval result = from_corners({quotient_of(a.lo, b.lo), quotient_of(a.lo, b.hi),
                                        quotient_of(a.hi, b.lo), quotient_of(a.hi, b.hi)});
  if (result.is_nan() && !(a.lo == a.hi && b.lo == b.hi)) return Interval::anything();
  return with_nan_of(result, a, b);
}

Interval widen(Interval a, double radius) {
  if (a.is_nan() || radius == 0) return a;
  if (std::isnan(radius)) return Interval::anything();
  a.lo = a.lo == INFINITY ? a.lo : down(a.lo - radius);
  a.hi = a.hi == -INFINITY ? a.hi : up(a.hi + radius);
  return a;
}

Interval hull(Interval a, Interval b) {
  if (a.is_nan() && b.is_nan()) return a;
  if (a.is_nan()) return {b.lo, b.hi, true};
  if (b.is_nan()) return {a.lo, a.hi, true};
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi), a.may_be_nan || b.may_be_nan};
}

}  // namespace opkit::oracle
