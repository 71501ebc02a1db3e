#include "opkit/oracle/stored.h"

#include <algorithm>
#include <cmath>

#include "opkit/oracle/float_format.h"

namespace opkit::oracle {

namespace {

// Returns the tensor, every interval by itself, after `change(interval)`.
template <typename Change>
Bounded changed(const Bounded& tensor, const Working& working, const Change& change) {
  Bounded out = settle(tensor, working);
  out.pending = false;
  out.open = nullptr;
  out.bounds.resize(tensor.value.values.size());
  for (int64_t i = 0; i < out.value.elements(); ++i) {
    const Interval c = tensor.pending ? settle(tensor.at(i), working) : tensor.at(i);
    out.bounds[static_cast<size_t>(i)] = c.is_nan() ? c : change(c);
  }
  return out;
}

}  // namespace

Bounded stored(const Bounded& tensor, DType dtype, const Working& working,
               std::string_view rounding) {
  if (!is_float(tensor.value.dtype)) return tensor;
  const auto direct = [&](double x) { return round_to(dtype, x, working.saturate, rounding); };
  const auto by_single = [&](double x) {
    return direct(round_to(DType::kFloat32, x, working.saturate));
  };
  Bounded out = changed(tensor, working, [&](const Interval& c) -> Interval {
    return {std::min(direct(c.lo), by_single(c.lo)), std::max(direct(c.hi), by_single(c.hi)),
            c.may_be_nan};
  });
  for (int64_t i = 0; i < out.value.elements(); ++i) out.value[i] = direct(out.value[i]);
  return out;
}

Bounded stored_scaled(const Bounded& tensor, DType dtype, const Working& working) {
  if (!is_float(tensor.value.dtype)) return tensor;
  const FloatFormat format = format_of(dtype);
  const double least = format.min_normal * format.unit;  // half a step near 0
  const auto half_a_step = [&](double x) {
    return std::isinf(x) ? 0 : std::max(std::abs(x) * format.unit, least);
  };
  return changed(tensor, working, [&](const Interval& c) -> Interval {
    return {c.lo - half_a_step(c.lo), c.hi + half_a_step(c.hi), c.may_be_nan};
  });
}

}  // namespace opkit::oracle
