#include "opkit/verify/data/generate.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "opkit/verify/data/random.h"
#include "opkit/verify/tolerance/float_format.h"

namespace opkit::verify {
namespace {

// Integers are kept within what the tensors' double interface carries exactly.
std::pair<double, double> integer_range(DType dtype) {
  if (dtype == DType::kBool) return {0, 1};
  const int bits = std::min(bits_of(dtype), 53);
  if (!is_signed(dtype)) return {0, std::ldexp(1, bits) - 1};
  return {-std::ldexp(1, bits - 1), std::ldexp(1, bits - 1) - 1};
}

class Filler {
 public:
  Filler(const Tensor& tensor, const FillRequest& request)
      : request_(request),
        dtype_(tensor.dtype()),
        count_(tensor.elements()),
        random_(request.seed, request.port * 4096 + request.instance),
        shared_(request.seed, ~uint64_t{0}) {}

  double value(int64_t i) const {
    const auto at = static_cast<uint64_t>(i);
    const double raw = is_float(dtype_) ? real(at) : whole(at);
    return request_.range ? into_range(raw, at) : raw;
  }

 private:
  double sign(uint64_t at) const { return random_.bits(at + (uint64_t{1} << 40)) & 1 ? -1.0 : 1.0; }
  double unit(uint64_t at) const { return random_.unit(at); }

  double real(uint64_t at) const {
    const FloatFormat format = format_of(dtype_);
    switch (request_.data) {
      case DataClass::kExactInteger: return static_cast<double>(random_.whole(at, -4, 4));
      case DataClass::kUniform: return 4 * unit(at) - 2;
      case DataClass::kNormal: return normal(at);
      case DataClass::kLogUniform: return log_uniform(at, format);
      case DataClass::kCancellation: return cancelling(at);
      case DataClass::kNearOverflow: return sign(at) * format.largest * (0.25 + 0.75 * unit(at));
      case DataClass::kSubnormal: return sign(at) * format.min_normal * 2 * unit(at);
      case DataClass::kSpecial: return special(at, format);
      case DataClass::kConstant: return 0.5 + static_cast<double>(random_.whole(0, 1, 12)) / 8;
      case DataClass::kOneHot: return one_hot(at);
      case DataClass::kSorted: return sorted(at) * 4 - 2;
      case DataClass::kSaturating: return saturating(at);
    }
    return 0;
  }

  double whole(uint64_t at) const {
    const auto [lo, hi] = integer_range(dtype_);
    const auto within = [lo = lo, hi = hi](double x) { return std::clamp(std::round(x), lo, hi); };
    switch (request_.data) {
      case DataClass::kUniform:
      case DataClass::kNormal:
      case DataClass::kCancellation: return within(std::floor(unit(at) * 200) - (lo < 0 ? 100 : 0));
      case DataClass::kLogUniform:
        return within((lo < 0 ? sign(at) : 1) * std::exp2(unit(at) * std::log2(hi)));
      case DataClass::kNearOverflow:
        return random_.bits(at) & 1 ? within(hi - std::floor(3 * unit(at)))
                                    : within(lo + std::floor(3 * unit(at)));
      case DataClass::kSpecial: return special_integer(at, lo, hi);
      case DataClass::kConstant: return within(static_cast<double>(random_.whole(0, 1, 3)));
      case DataClass::kOneHot: return one_hot(at);
      case DataClass::kSorted: return within(std::floor(sorted(at) * 200) - (lo < 0 ? 100 : 0));
      case DataClass::kSaturating: return within(saturating(at));
      default: return within(static_cast<double>(random_.whole(at, lo < 0 ? -4 : 0, 4)));
    }
  }

  // Twelve uniform numbers added up.
  double normal(uint64_t at) const {
    double sum = -6;
    for (uint64_t k = 0; k < 12; ++k) sum += random_.unit(at * 12 + k + (uint64_t{1} << 42));
    return sum;
  }

  double log_uniform(uint64_t at, const FloatFormat& format) const {
    const double top = std::floor(std::log2(format.largest)) / 2;
    const double bottom = std::max(format.min_exponent / 2.0, -60.0);
    return sign(at) * std::exp2(bottom + (top - bottom) * unit(at));
  }

  // The same large part on every port, with signs that alternate between ports and neighbours, and
  // a small part of one's own.
  double cancelling(uint64_t at) const {
    const double large = 16 * (1 + shared_.unit(at / 2));
    const bool negative = ((request_.port + at) & 1) != 0;
    return (negative ? -large : large) + (unit(at) - 0.5) / 16;
  }

  double special(uint64_t at, const FloatFormat& format) const {
    const double kSpecials[] = {NAN,
                                INFINITY,
                                -INFINITY,
                                -0.0,
                                format.largest,
                                -format.largest,
                                std::ldexp(1, format.min_exponent - format.precision + 1),
                                0.0};
    const uint64_t bits = random_.bits(at + (uint64_t{1} << 41));
    return bits % 4 == 0 ? kSpecials[(bits >> 8) % 8] : 4 * unit(at) - 2;
  }

  double special_integer(uint64_t at, double lo, double hi) const {
    const double kSpecials[] = {lo, hi, 0, 1, lo < 0 ? -1.0 : 2.0};
    return kSpecials[random_.bits(at) % 5];
  }

  double one_hot(uint64_t at) const {
    if (count_ == 0) return 0;
    return at == random_.bits(0) % static_cast<uint64_t>(count_) ? 1 : 0;
  }

  double sorted(uint64_t at) const {
    return count_ < 2 ? 0.75 : static_cast<double>(at) / static_cast<double>(count_ - 1);
  }

  double saturating(uint64_t at) const {
    static constexpr double kEdges[] = {126.5,  127,  127.5, 128, 129,  300, -127.5, -128,
                                        -128.5, -129, -300,  0.5, -0.5, 1.5, 2.5};
    return kEdges[random_.bits(at) % std::size(kEdges)];
  }

  // Values outside are mapped, not cut, so that the range is used whole.
  double into_range(double raw, uint64_t at) const {
    const auto [lo, hi] = *request_.range;
    if (is_float(dtype_)) {
      if (raw >= lo && raw <= hi) return raw;
      return std::clamp(lo + (hi - lo) * unit(at), lo, hi);
    }
    if (request_.data == DataClass::kSorted)
      return std::clamp(lo + std::floor(sorted(at) * (hi - lo + 1)), lo, hi);
    if (request_.data == DataClass::kOneHot || request_.data == DataClass::kConstant)
      return std::clamp(raw, lo, hi);
    return static_cast<double>(random_.whole(at, static_cast<int64_t>(std::ceil(lo)),
                                             static_cast<int64_t>(std::floor(hi))));
  }

  const FillRequest& request_;
  DType dtype_;
  int64_t count_;
  Random random_, shared_;
};

}  // namespace

void fill(Tensor& tensor, const FillRequest& request) {
  const Filler filler(tensor, request);
  for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, filler.value(i));
}

}  // namespace opkit::verify
