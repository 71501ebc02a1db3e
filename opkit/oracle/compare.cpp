#include "opkit/oracle/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "opkit/oracle/float_format.h"

namespace opkit::oracle {
namespace {

constexpr size_t kWorst = 5;
constexpr double kVendorEpsilon = 1e-7;
constexpr size_t kEnoughForShare = 64;  // elements
constexpr int64_t kMostWidths = int64_t{1} << 20;

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

// 0 where one infinity, or NaN alone, is accepted.
double width_of(const Interval& accepted) {
  if (accepted.is_anything()) return INFINITY;
  const double width = accepted.hi - accepted.lo;
  return width > 0 ? width : 0;
}

// Odd, so that a sample is not one column of a matrix.
int64_t sampled_every(int64_t elements) {
  return elements <= kMostWidths ? 1 : (elements / kMostWidths + 1) | 1;
}

double vendor_threshold(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return 0x1p-10;
    case DType::kBFloat16: return 0x1p-7;
    case DType::kFloat32: return 0x1p-13;
    default: return 0;
  }
}

// Tells whether a kernel that copies bytes copies elements, too: one that brings a matrix from
// fractals into rows does more.
bool lie_alike(Format a, Format b) {
  const auto in_order = [](Format format) {
    return format == Format::kND || format == Format::kNCHW || format == Format::kNHWC;
  };
  return a == b || (in_order(a) && in_order(b));
}

void add_counts(std::vector<int64_t>& to, const std::vector<int64_t>& more) {
  std::transform(to.begin(), to.end(), more.begin(), to.begin(), std::plus<>());
}

}  // namespace

OutputComparer::OutputComparer(const OpContract& contract, size_t column, const Tensor& got,
                               const std::vector<std::vector<Tensor>>& inputs)
    : accept_(contract, column, got.dtype()), got_(&got) {
  result_.output = got.desc().name;
  result_.elements = got.elements();
  result_.manual_tolerance = accept_.is_manual();
  result_.histogram.assign(7, 0);
  result_.bound_used.assign(11, 0);
  for (const std::vector<Tensor>& port : inputs) {
    for (const Tensor& input : port) {
      if (input.elements() == got.elements() && input.dtype() == got.dtype() &&
          lie_alike(input.desc().format, got.desc().format))
        copies_.push_back(&input);
    }
  }
}

OutputComparer OutputComparer::for_part() const {
  OutputComparer part(*this);
  part.result_.wrong = part.result_.wrong_nan = part.result_.wrong_inf = 0;
  part.result_.wrong_zero = 0;
  part.result_.untouched = part.result_.unbounded = part.result_.inexact = 0;
  part.result_.worst.clear();
  part.result_.max_ulps = 0;
  part.result_.vendor = {};
  part.result_.histogram.assign(7, 0);
  part.result_.bound_used.assign(11, 0);
  part.signed_sum_ = part.relative_sum_ = part.largest_ = 0;
  part.finite_ = 0;
  part.widths_.clear();
  return part;
}

void OutputComparer::take(const Bounded& expected, const Section& section) {
  zero_signs_ = is_float(got_->dtype()) && !accept_.is_manual() && is_told(expected.zero_sign);
  for (int64_t i = 0; i < section.elements(); ++i)
    take(section.at(i), expected.at(i), expected.value[i]);
}

void OutputComparer::merge(const OutputComparer& later) {
  const Comparison& more = later.result_;
  if (!first_) first_ = later.first_;
  result_.wrong += more.wrong;
  result_.wrong_nan += more.wrong_nan;
  result_.wrong_inf += more.wrong_inf;
  result_.wrong_zero += more.wrong_zero;
  result_.untouched += more.untouched;
  result_.unbounded += more.unbounded;
  result_.inexact += more.inexact;
  for (const WrongElement& wrong : more.worst) keep_worst(wrong);
  result_.max_ulps = std::max(result_.max_ulps, more.max_ulps);
  result_.vendor.mare = std::max(result_.vendor.mare, more.vendor.mare);
  result_.vendor.passes = result_.vendor.passes && more.vendor.passes;
  add_counts(result_.histogram, more.histogram);
  add_counts(result_.bound_used, more.bound_used);
  signed_sum_ += later.signed_sum_;
  relative_sum_ += later.relative_sum_;
  finite_ += later.finite_;
  widths_.insert(widths_.end(), later.widths_.begin(), later.widths_.end());
  largest_ = std::max(largest_, later.largest_);
  zeros_ = zeros_ && later.zeros_;
  constant_ = constant_ && later.constant_;
  std::erase_if(copies_, [&](const Tensor* input) {
    return std::find(later.copies_.begin(), later.copies_.end(), input) == later.copies_.end();
  });
}

Comparison OutputComparer::finish() {
  if (result_.inexact > 0) result_.bias = signed_sum_ / static_cast<double>(result_.inexact);
  finish_vendor();
  finish_share();
  finish_trivial();
  return std::move(result_);
}

void OutputComparer::take(int64_t i, const Interval& expected, double value) {
  const double got = got_->at(i);
  const Interval accepted = accept_.of(expected, value);
  const double ideal = accept_.ideal(value);
  if (!first_) first_ = ideal;
  note_share(i, value, accepted);
  if (accepted.is_anything()) {
    ++result_.unbounded;
    return;
  }
  note_trivial(i, accepted);
  const double off = distance(got_->dtype(), got, ideal);
  note_distance(off, ideal != value);
  note_use(got, value, accepted);
  note_vendor(got, ideal);
  const bool other_zero = zero_signs_ && has_other_sign(got, ideal, accepted);
  if (other_zero) ++result_.wrong_zero;
  if (other_zero || !accepted.contains(got)) note_wrong(i, got, ideal, accepted, std::abs(off));
}

// Where every right kernel gives a zero of one sign.
bool OutputComparer::has_other_sign(double got, double ideal, const Interval& accepted) const {
  if (got != 0 || ideal != 0 || accepted.lo != 0 || accepted.hi != 0 || accepted.may_be_nan)
    return false;
  const bool negative = std::signbit(ideal);
  if (std::signbit(accepted.lo) != negative || std::signbit(accepted.hi) != negative) return false;
  return std::signbit(got) != negative;
}

void OutputComparer::note_distance(double off, bool inexact) {
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
void OutputComparer::note_use(double got, double value, const Interval& accepted) {
  const double room = got < value ? value - accepted.lo : accepted.hi - value;
  if (accepted.is_point() || !std::isfinite(got - value) || !std::isfinite(room) || got == value)
    return;
  const double share = room > 0 ? std::abs(got - value) / room : INFINITY;
  ++result_.bound_used[share > 1 ? 10 : std::min<size_t>(9, static_cast<size_t>(share * 10))];
}

void OutputComparer::note_vendor(double got, double ideal) {
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

void OutputComparer::note_wrong(int64_t i, double got, double ideal, const Interval& accepted,
                                double ulps) {
  ++result_.wrong;
  if (std::isnan(got) != std::isnan(ideal)) ++result_.wrong_nan;
  if (!std::isnan(got) && std::isinf(got) != std::isinf(ideal)) ++result_.wrong_inf;
  if (poisoned(*got_, i)) ++result_.untouched;
  if (result_.worst.size() == kWorst && ulps <= result_.worst.back().ulps) return;
  keep_worst({index_of(got_->shape(), i), i, got, ideal, accepted.lo, accepted.hi, ulps});
}

void OutputComparer::keep_worst(WrongElement wrong) {
  std::vector<WrongElement>& worst = result_.worst;
  const auto place = std::find_if(worst.begin(), worst.end(), [&](const WrongElement& other) {
    return other.ulps < wrong.ulps;
  });
  worst.insert(place, std::move(wrong));
  if (worst.size() > kWorst) worst.pop_back();
}

bool OutputComparer::overflows(double value) const {
  return !std::isfinite(is_float(got_->dtype()) ? round_to(got_->dtype(), value, false) : value);
}

// Takes finite results only: one beyond the type's range is an infinity or, where infinities meet,
// NaN or either of them. That says nothing of how exact the kernel's arithmetic must be.
void OutputComparer::note_share(int64_t i, double value, const Interval& accepted) {
  if (overflows(value)) return;
  largest_ = std::max(largest_, std::abs(value));
  if (i % sampled_every(result_.elements) == 0) widths_.push_back(width_of(accepted));
}

// Where everything is accepted a kernel without computation is, too.
void OutputComparer::note_trivial(int64_t i, const Interval& accepted) {
  zeros_ = zeros_ && accepted.contains(0);
  constant_ = constant_ && accepted.contains(*first_);
  if (copies_.empty()) return;
  std::erase_if(copies_, [&](const Tensor* input) { return !accepted.contains(input->at(i)); });
}

void OutputComparer::finish_vendor() {
  VendorRule& vendor = result_.vendor;
  if (finite_ > 0) vendor.mere = relative_sum_ / static_cast<double>(finite_);
  vendor.threshold = vendor_threshold(got_->dtype());
  const bool close = vendor.threshold == 0
                         ? vendor.mare == 0
                         : vendor.mere < vendor.threshold && vendor.mare < 10 * vendor.threshold;
  vendor.passes = vendor.passes && close;
}

void OutputComparer::finish_share() {
  if (widths_.size() < kEnoughForShare || largest_ == 0) return;
  const auto middle = widths_.begin() + static_cast<ptrdiff_t>(widths_.size() / 2);
  std::nth_element(widths_.begin(), middle, widths_.end());
  result_.tolerance_share = *middle / largest_;
}

void OutputComparer::finish_trivial() {
  if (result_.elements == 0) return;
  if (zeros_) {
    result_.trivial.push_back("zeros");
  } else if (constant_ && result_.elements > 1) {
    result_.trivial.push_back("constant");
  }
  for (const Tensor* input : copies_) result_.trivial.push_back("copy of " + input->desc().name);
}

Comparison compare(const OpContract& contract, size_t column, const Tensor& got,
                   const Bounded& expected, const std::vector<std::vector<Tensor>>& inputs) {
  OutputComparer comparer(contract, column, got, inputs);
  comparer.take(expected, Section::whole(got.shape()));
  return comparer.finish();
}

}  // namespace opkit::oracle
