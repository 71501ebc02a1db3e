#include "opkit/verify/data/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "opkit/abi/num/bfloat16.h"
#include "opkit/abi/num/half.h"
#include "opkit/oracle/float_format.h"
#include "opkit/verify/data/in_parallel.h"
#include "opkit/verify/data/random.h"

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
        format_(is_float(dtype_) ? oracle::format_of(dtype_) : oracle::FloatFormat{}),
        count_(tensor.elements()),
        row_(tensor.shape().rank() == 0 ? 1 : tensor.shape()[tensor.shape().rank() - 1]),
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
    switch (request_.data) {
      case DataClass::kExactInteger: return static_cast<double>(random_.whole(at, -4, 4));
      case DataClass::kUniform: return 4 * unit(at) - 2;
      case DataClass::kNormal: return normal(at);
      case DataClass::kLogUniform: return log_uniform(at, format_);
      case DataClass::kCancellation: return cancelling(at);
      case DataClass::kNearOverflow: return sign(at) * format_.largest * (0.25 + 0.75 * unit(at));
      case DataClass::kSubnormal: return sign(at) * format_.min_normal * 2 * unit(at);
      case DataClass::kSpecial: return special(at, format_);
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

  double log_uniform(uint64_t at, const oracle::FloatFormat& format) const {
    const double top = std::floor(std::log2(format.largest)) / 2;
    const double bottom = std::max(format.min_exponent / 2.0, -60.0);
    return sign(at) * std::exp2(bottom + (top - bottom) * unit(at));
  }

  // Draws one large part for every port, with signs that alternate between ports and neighbours,
  // and a small part of one's own.
  double cancelling(uint64_t at) const {
    const double large = 16 * (1 + shared_.unit(at / 2));
    const bool negative = ((request_.port + at) & 1) != 0;
    return (negative ? -large : large) + (unit(at) - 0.5) / 16;
  }

  // Every kind once in each stretch of elements, at places that differ from stretch to stretch and
  // from port to port.
  double special(uint64_t at, const oracle::FloatFormat& format) const {
    constexpr uint64_t kStretch = 64;
    const double least = std::ldexp(1, format.min_exponent - format.precision + 1);
    const double kKinds[] = {NAN,
                             INFINITY,
                             -INFINITY,
                             -0.0,
                             0.0,
                             format.largest,
                             -format.largest,
                             least,
                             -least,
                             format.min_normal - least,
                             format.min_normal,
                             0.5,  // begins what lies halfway between integers, halves, bfloat16s
                             1.5,
                             -2.5,
                             1 + 0x1p-11,
                             1 + 0x3p-8};
    const uint64_t turn = random_.bits(at / kStretch + (uint64_t{1} << 41));
    const uint64_t kind = (at % kStretch * (turn >> 8 | 1) + turn) % kStretch;
    if (kind >= std::size(kKinds) || !may_be_here(kKinds[kind], at)) return 4 * unit(at) - 2;
    return kKinds[kind];
  }

  // Leaves NaN out of one of three long rows, and infinities too in another: what NaN hides shows
  // there.
  bool may_be_here(double value, uint64_t at) const {
    if (std::isfinite(value) || row_ < 64) return true;
    const uint64_t place = at / static_cast<uint64_t>(row_) % 3;
    return std::isnan(value) ? place == 0 : place < 2;
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
  oracle::FloatFormat format_;  // describes a floating dtype
  int64_t count_, row_;
  Random random_, shared_;
};

int64_t row_length(const Shape& shape) { return shape.rank() == 0 ? 1 : shape[shape.rank() - 1]; }

// Returns the integers that an element may be.
std::pair<double, double> whole_range(DType dtype, const FillRequest& request) {
  std::pair<double, double> range = integer_range(dtype);
  if (request.range && request.elements != Elements::kPermutation) {
    range.first = std::max(range.first, std::ceil(request.range->first));
    range.second = std::min(range.second, std::floor(request.range->second));
  }
  if (request.elements == Elements::kPermutation) range.first = 0;
  return range;
}

// Rows whose elements depend on each other.
class RowFiller {
 public:
  RowFiller(const Filler& filler, DType dtype, const FillRequest& request)
      : filler_(filler), dtype_(dtype), request_(request) {}

  // REQUIRES: cannot_fill() found nothing.
  void fill(int64_t first, std::vector<double>& row) const {
    if (request_.elements == Elements::kSorted) return fill_sorted(first, row);
    const auto [lo, hi] = whole_range(dtype_, request_);
    Draws draws(request_.seed, request_.port * 4096 + static_cast<uint64_t>(first) + 7);
    double start = lo;
    if (request_.elements == Elements::kDistinct) {
      // Neighbouring values from some place on, so that none is twice.
      const double room = hi - lo + 1 - static_cast<double>(row.size());
      start = lo + std::floor(std::min(room, 1e6) * draws.unit());
    }
    for (size_t i = 0; i < row.size(); ++i) row[i] = start + static_cast<double>(i);
    if (request_.data == DataClass::kSorted) return;
    if (request_.data == DataClass::kConstant) return std::reverse(row.begin(), row.end());
    for (size_t i = row.size(); i > 1; --i)
      std::swap(row[i - 1], row[static_cast<size_t>(draws.whole(0, static_cast<int64_t>(i) - 1))]);
  }

 private:
  // NaN has no place in an order.
  void fill_sorted(int64_t first, std::vector<double>& row) const {
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = filler_.value(first + static_cast<int64_t>(i));
      if (std::isnan(row[i])) row[i] = 0;
    }
    std::sort(row.begin(), row.end());
  }

  const Filler& filler_;
  DType dtype_;
  const FillRequest& request_;
};

// What Tensor::set does, without asking for the dtype again for every element.
template <typename T>
void fill_part(Tensor& tensor, const Filler& filler, int64_t begin, int64_t end) {
  T* to = reinterpret_cast<T*>(tensor.data());
  for (int64_t i = begin; i < end; ++i) to[i] = T(filler.value(i));
}

void fill_any_part(Tensor& tensor, const Filler& filler, int64_t begin, int64_t end) {
  switch (tensor.dtype()) {
    case DType::kFloat32: return fill_part<float>(tensor, filler, begin, end);
    case DType::kFloat16: return fill_part<Half>(tensor, filler, begin, end);
    case DType::kBFloat16: return fill_part<BFloat16>(tensor, filler, begin, end);
    default:
      for (int64_t i = begin; i < end; ++i) tensor.set(i, filler.value(i));
  }
}

}  // namespace

void fill(Tensor& tensor, const FillRequest& request) {
  const Filler filler(tensor, request);
  const int64_t row = row_length(tensor.shape());
  if (request.elements == Elements::kAny || row == 0) {
    in_parallel(tensor.elements(),
                [&](int64_t begin, int64_t end) { fill_any_part(tensor, filler, begin, end); });
    return;
  }
  const RowFiller rows(filler, tensor.dtype(), request);
  std::vector<double> values(static_cast<size_t>(row));
  for (int64_t first = 0; first < tensor.elements(); first += row) {
    rows.fill(first, values);
    for (int64_t i = 0; i < row; ++i) tensor.set(first + i, values[static_cast<size_t>(i)]);
  }
}

std::optional<std::string> cannot_fill(DType dtype, const Shape& shape,
                                       const FillRequest& request) {
  const int64_t row = row_length(shape);
  if (request.elements != Elements::kDistinct && request.elements != Elements::kPermutation)
    return std::nullopt;
  const auto [lo, hi] = whole_range(dtype, request);
  if (static_cast<double>(row) <= hi - lo + 1) return std::nullopt;
  return fmt::format("there are no {} distinct {} values from {} to {}", row, name_of(dtype), lo,
                     hi);
}

}  // namespace opkit::verify
