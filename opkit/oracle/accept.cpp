#include "opkit/oracle/accept.h"

#include <algorithm>

#include "opkit/oracle/float_format.h"

namespace opkit::oracle {

double Acceptance::ideal(double value) const {
  return is_float(stored_) ? round_to(stored_, value, saturates(), numeric_.rounding) : value;
}

// Directly, or by way of float32 when the store narrows.
Interval Acceptance::store(const Interval& c) const {
  const auto direct = [&](double x) { return ideal(x); };
  const auto by_single = [&](double x) { return ideal(round_to(DType::kFloat32, x, saturates())); };
  return {std::min(direct(c.lo), by_single(c.lo)), std::max(direct(c.hi), by_single(c.hi)),
          c.may_be_nan};
}

Interval Acceptance::of(const Interval& c, double value) const {
  if (!is_float(stored_)) return c;
  const bool nan_matters = numeric_.nan == NumericPolicy::Nan::kPropagate;
  if (!nan_matters && (c.may_be_nan || std::isnan(value))) return Interval::anything();
  if (c.is_nan()) return saturates() ? hull(c, Interval::point(0)) : c;
  Interval stored = store(c);
  if (manual_ && std::isfinite(value)) {
    const double radius = manual_->absolute + manual_->value * std::abs(value);
    stored = {ideal(value - radius), ideal(value + radius), c.may_be_nan};
  }
  // Without infinities the chip stores 0 in place of NaN (page "SetCtrlSpr(ISASI)", control bit
  // 48).
  if (saturates() && c.may_be_nan) stored = hull(stored, Interval::point(0));
  return stored;
}

}  // namespace opkit::oracle
