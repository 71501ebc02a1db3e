// Interval: every value that a correct kernel may have at one place, as ends in double rounded
// outward. Ends are exact whenever double arithmetic was, so data that need no rounding keep
// intervals of one point and thereby a tolerance of zero.
#ifndef OPKIT_ORACLE_INTERVAL_H_
#define OPKIT_ORACLE_INTERVAL_H_

#include <cmath>

namespace opkit::oracle {

struct Interval {
  double lo = 0, hi = 0;  // both NaN: certainly NaN
  bool may_be_nan = false;

  static Interval point(double x) { return {x, x, std::isnan(x)}; }
  // Nothing is promised: every value, NaN included.
  static Interval anything() { return {-INFINITY, INFINITY, true}; }
  bool is_point() const { return lo == hi && !may_be_nan; }
  bool is_nan() const { return std::isnan(lo); }
  bool is_anything() const { return lo == -INFINITY && hi == INFINITY && may_be_nan; }
  bool contains(double x) const { return std::isnan(x) ? may_be_nan : lo <= x && x <= hi; }
};

Interval add(Interval a, Interval b);
Interval subtract(Interval a, Interval b);
Interval multiply(Interval a, Interval b);
// A divisor that may be zero without being exactly zero leaves nothing promised.
Interval divide(Interval a, Interval b);
// Returns all within `radius` of the interval.
Interval widen(Interval a, double radius);
Interval hull(Interval a, Interval b);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_INTERVAL_H_
