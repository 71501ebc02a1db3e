#include "opkit/oracle/bounded.h"

#include <algorithm>

#include "opkit/oracle/float_format.h"

namespace opkit::oracle {
namespace {

template <typename F>
reference::RefTensor mapped(const Bounded& tensor, F f) {
  reference::RefTensor out = tensor.value;
  for (int64_t i = 0; i < out.elements(); ++i) out[i] = f(tensor.at(i), tensor.value[i]);
  return out;
}

// Returns the working type and what a kernel may widen to for a computation.
double least(double x, const Working& working) {
  const double single = round_to(DType::kFloat32, x, working.saturate);
  return std::min({x, single, round_to(working.dtype, x, working.saturate)});
}
double greatest(double x, const Working& working) {
  const double single = round_to(DType::kFloat32, x, working.saturate);
  return std::max({x, single, round_to(working.dtype, x, working.saturate)});
}

}  // namespace

Interval Bounded::at(int64_t i) const {
  if (bounds.empty()) return Interval::point(value[i]);
  return bounds[static_cast<size_t>(i)];
}

reference::RefTensor Bounded::low() const {
  return mapped(*this, [](const Interval& c, double) { return c.lo; });
}

reference::RefTensor Bounded::high() const {
  return mapped(*this, [](const Interval& c, double) { return c.hi; });
}

reference::RefTensor Bounded::magnitude() const {
  return mapped(*this,
                [](const Interval& c, double) { return std::max(std::abs(c.lo), std::abs(c.hi)); });
}

reference::RefTensor Bounded::radius() const {
  return mapped(*this, [](const Interval& c, double value) {
    if (c.lo == c.hi) return 0.0;
    const double radius = std::max(value - c.lo, c.hi - value);
    return std::isnan(radius) ? INFINITY : radius;
  });
}

Bounded Bounded::exactly(reference::RefTensor value) {
  Bounded tensor;
  tensor.value = std::move(value);
  return tensor;
}

Interval settle(Interval c, const Working& working) {
  if (c.is_nan()) return c;
  return {least(c.lo, working), greatest(c.hi, working), c.may_be_nan};
}

Bounded settle(const Bounded& tensor, const Working& working) {
  if (!tensor.pending || !is_float(tensor.value.dtype)) return tensor;
  Bounded out = tensor;
  out.pending = false;
  out.bounds.resize(tensor.value.values.size());
  for (size_t i = 0; i < out.bounds.size(); ++i)
    out.bounds[i] = settle(tensor.at(static_cast<int64_t>(i)), working);
  return out;
}

}  // namespace opkit::oracle
