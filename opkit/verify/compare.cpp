#include "opkit/verify/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "opkit/verify/tolerance/accept.h"
#include "opkit/verify/tolerance/float_format.h"

namespace opkit::verify {
namespace {

constexpr size_t kWorst = 5;
constexpr double kVendorEpsilon = 1e-7;
constexpr size_t kEnoughForShare = 64;  // elements

std::vector<int64_t> index_of(const Shape& shape, int64_t at) {
  std::vector<int64_t> index(shape.rank());
  for (size_t d = shape.rank(); d-- > 0;) {
    index[d] = at % shape[d];
    at /= shape[d];
  }
  return index;
}

// Signed, in ulps of the stored type; a NaN or an infinity on one side only is infinitely far.
double distance(DType dtype, double got, double expected) {
  if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0;
  if (!std::isfinite(got) || !std::isfinite(expected))
    return std::signbit(got) ? -INFINITY : INFINITY;
  const double ulp = is_float(dtype) ? ulp_at(dtype, expected) : 1;
  return (got - expected) / ulp;
}

bool poisoned(const Tensor& tensor, int64_t i) {
  const size_t bytes = static_cast<size_t>(bits_of(tensor.dtype())) / 8;
  if (bytes == 0) return false;
  const std::byte* element = tensor.data() + static_cast<size_t>(i) * bytes;
  return std::all_of(element, element + bytes, [](std::byte b) { return b == std::byte{0xff}; });
}

class Comparer {
 public:
  Comparer(const OpContract& contract, size_t column, const Tensor& got, const Bounded& expected)
      : accept_(contract, column, got.dtype()), got_(got), expected_(expected) {
    result_.output = got.desc().name;
    result_.elements = got.elements();
    result_.manual_tolerance = accept_.is_manual();
    result_.histogram.assign(7, 0);
    result_.bound_used.assign(11, 0);
  }

  Comparison run(const Ports& inputs) {
    for (int64_t i = 0; i < got_.elements(); ++i) take(i);
    if (result_.inexact > 0) result_.bias = signed_sum_ / static_cast<double>(result_.inexact);
    finish_vendor();
    finish_share();
    find_trivial(inputs);
    return std::move(result_);
  }

 private:
  void take(int64_t i) {
    const double value = expected_.value[i], got = got_.at(i);
    const Interval accepted = accept_.of(expected_.at(i), value);
    accepted_.push_back(accepted);
    const double ideal = accept_.ideal(value);
    const double off = distance(got_.dtype(), got, ideal);
    if (accepted.is_anything()) {
      ++result_.unbounded;
      return;
    }
    note_distance(off, ideal != value);
    note_use(got, value, accepted);
    note_vendor(got, ideal);
    if (!accepted.contains(got)) note_wrong(i, got, ideal, accepted, std::abs(off));
  }

  void note_distance(double off, bool inexact) {
    static constexpr double kSteps[] = {0, 0.5, 1, 2, 4, 8};
    const double size = std::abs(off);
    result_.max_ulps = std::max(result_.max_ulps, size);
    const auto* step = std::find_if(std::begin(kSteps), std::end(kSteps),
                                    [&](double limit) { return size <= limit; });
    ++result_.histogram[static_cast<size_t>(step - std::begin(kSteps))];
    // One ulp at most: where a sum cancels, its errors are many ulps and say nothing of rounding.
    if (inexact && std::isfinite(off)) signed_sum_ += std::clamp(off, -1.0, 1.0), ++result_.inexact;
  }

  // Towards the end of the interval that the result leans to.
  void note_use(double got, double value, const Interval& accepted) {
    const double room = got < value ? value - accepted.lo : accepted.hi - value;
    if (accepted.is_point() || !std::isfinite(got - value) || !std::isfinite(room) || got == value)
      return;
    const double share = room > 0 ? std::abs(got - value) / room : INFINITY;
    ++result_.bound_used[share > 1 ? 10 : std::min<size_t>(9, static_cast<size_t>(share * 10))];
  }

  void note_vendor(double got, double ideal) {
    if (!std::isfinite(got) || !std::isfinite(ideal)) {
      const bool same = got == ideal || (std::isnan(got) && std::isnan(ideal));
      result_.vendor.passes = result_.vendor.passes && same;
      return;
    }
    const double relative = std::abs(got - ideal) / (std::abs(ideal) + kVendorEpsilon);
    relative_sum_ += relative;
    ++finite_;
    result_.vendor.mare = std::max(result_.vendor.mare, relative);
  }

  void note_wrong(int64_t i, double got, double ideal, const Interval& accepted, double ulps) {
    ++result_.wrong;
    if (std::isnan(got) != std::isnan(ideal)) ++result_.wrong_nan;
    if (!std::isnan(got) && std::isinf(got) != std::isinf(ideal)) ++result_.wrong_inf;
    if (poisoned(got_, i)) ++result_.untouched;
    std::vector<WrongElement>& worst = result_.worst;
    if (worst.size() == kWorst && ulps <= worst.back().ulps) return;
    WrongElement wrong{index_of(got_.shape(), i), i, got, ideal, accepted.lo, accepted.hi, ulps};
    const auto place = std::find_if(worst.begin(), worst.end(),
                                    [&](const WrongElement& other) { return other.ulps < ulps; });
    worst.insert(place, std::move(wrong));
    if (worst.size() > kWorst) worst.pop_back();
  }

  void finish_vendor() {
    VendorRule& vendor = result_.vendor;
    if (finite_ > 0) vendor.mere = relative_sum_ / static_cast<double>(finite_);
    switch (got_.dtype()) {
      case DType::kFloat16: vendor.threshold = 0x1p-10; break;
      case DType::kBFloat16: vendor.threshold = 0x1p-7; break;
      case DType::kFloat32: vendor.threshold = 0x1p-13; break;
      default: vendor.threshold = 0;
    }
    const bool close = vendor.threshold == 0
                           ? vendor.mare == 0
                           : vendor.mere < vendor.threshold && vendor.mare < 10 * vendor.threshold;
    vendor.passes = vendor.passes && close;
  }

  // 0 where one infinity, or NaN alone, is accepted.
  static double width_of(const Interval& accepted) {
    if (accepted.is_anything()) return INFINITY;
    const double width = accepted.hi - accepted.lo;
    return width > 0 ? width : 0;
  }

  bool overflows(double value) const {
    return !std::isfinite(is_float(got_.dtype()) ? round_to(got_.dtype(), value, false) : value);
  }

  // Of finite results: one beyond the type's range is an infinity or, where infinities meet, NaN
  // or either of them. That says nothing of how exact the kernel's arithmetic must be.
  void finish_share() {
    std::vector<double> widths;
    double largest = 0;
    for (int64_t i = 0; i < got_.elements(); ++i) {
      if (overflows(expected_.value[i])) continue;
      widths.push_back(width_of(accepted_[static_cast<size_t>(i)]));
      largest = std::max(largest, std::abs(expected_.value[i]));
    }
    if (widths.size() < kEnoughForShare || largest == 0) return;
    std::nth_element(widths.begin(), widths.begin() + static_cast<ptrdiff_t>(widths.size() / 2),
                     widths.end());
    result_.tolerance_share = widths[widths.size() / 2] / largest;
  }

  template <typename F>
  bool would_pass(F element) const {
    for (int64_t i = 0; i < got_.elements(); ++i) {
      if (!accepted_[static_cast<size_t>(i)].contains(element(i))) return false;
    }
    return true;
  }

  void find_trivial(const Ports& inputs) {
    if (got_.elements() == 0) return;
    const double first = accept_.ideal(expected_.value[0]);
    if (would_pass([](int64_t) { return 0.0; })) {
      result_.trivial.push_back("zeros");
    } else if (got_.elements() > 1 && would_pass([&](int64_t) { return first; })) {
      result_.trivial.push_back("constant");
    }
    for (const std::vector<Tensor>& port : inputs) {
      for (const Tensor& input : port) {
        if (input.elements() != got_.elements() || input.dtype() != got_.dtype()) continue;
        if (would_pass([&](int64_t i) { return input.at(i); }))
          result_.trivial.push_back("copy of " + input.desc().name);
      }
    }
  }

  Acceptance accept_;
  const Tensor& got_;
  const Bounded& expected_;
  Comparison result_;
  std::vector<Interval> accepted_;
  double signed_sum_ = 0, relative_sum_ = 0;
  int64_t finite_ = 0;
};

}  // namespace

Comparison compare(const OpContract& contract, size_t column, const Tensor& got,
                   const Bounded& expected, const Ports& inputs) {
  return Comparer(contract, column, got, expected).run(inputs);
}

}  // namespace opkit::verify
