#include "opkit/verify/tolerance/stored.h"

#include <algorithm>

#include "opkit/verify/tolerance/float_format.h"

namespace opkit::verify {

Bounded stored(const Bounded& tensor, DType dtype, const Working& working,
               std::string_view rounding) {
  if (!is_float(tensor.value.dtype)) return tensor;
  const auto direct = [&](double x) { return round_to(dtype, x, working.saturate, rounding); };
  const auto by_single = [&](double x) {
    return direct(round_to(DType::kFloat32, x, working.saturate));
  };
  Bounded out = settle(tensor, working);
  out.pending = false;
  out.open = nullptr;
  out.bounds.resize(tensor.value.values.size());
  for (int64_t i = 0; i < out.value.elements(); ++i) {
    const Interval c = tensor.pending ? settle(tensor.at(i), working) : tensor.at(i);
    Interval& rounded = out.bounds[static_cast<size_t>(i)];
    rounded = c;
    if (!c.is_nan())
      rounded = {std::min(direct(c.lo), by_single(c.lo)), std::max(direct(c.hi), by_single(c.hi)),
                 c.may_be_nan};
    out.value[i] = direct(out.value[i]);
  }
  return out;
}

}  // namespace opkit::verify
