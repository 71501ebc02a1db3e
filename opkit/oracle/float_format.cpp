#include "opkit/oracle/float_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace opkit::oracle {
namespace {

FloatFormat make(int precision, int min_exponent, int max_exponent) {
  FloatFormat format;
  format.precision = precision;
  format.min_exponent = min_exponent;
  format.largest = std::ldexp(2 - std::ldexp(1, 1 - precision), max_exponent);
  format.unit = std::ldexp(1, -precision);
  format.min_normal = std::ldexp(1, min_exponent);
  format.overflow = std::ldexp(2 - std::ldexp(1, -precision), max_exponent);
  return format;
}

const FloatFormat kHalf = make(11, -14, 15);
const FloatFormat kBFloat16 = make(8, -126, 127);
const FloatFormat kSingle = make(24, -126, 127);
const FloatFormat kDouble = make(53, -1022, 1023);

// Doubles as they are stored: the library's ilogb and ldexp take a large part of a test's time.
constexpr int kFraction = 52, kBias = 1023;

// floor(log2(x)). REQUIRES: x is a normal double above 0.
int exponent_of(double x) {
  return static_cast<int>(std::bit_cast<uint64_t>(x) >> kFraction) - kBias;
}

double power_of_two(int exponent) {
  if (exponent <= -kBias || exponent > kBias) return std::ldexp(1, exponent);
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + kBias) << kFraction);
}

// Returns a value between two neighbours, by the magnitude of what was cut off.
double directed(DType dtype, double x, double nearest, std::string_view rounding) {
  if (nearest == x || rounding == "rint" || std::isnan(x) || std::isinf(x)) return nearest;
  const double below = nearest > x ? next_down(dtype, nearest) : nearest;
  const double above = nearest > x ? nearest : next_up(dtype, nearest);
  if (rounding == "floor") return below;
  if (rounding == "ceil") return above;
  if (rounding == "trunc") return x < 0 ? above : below;
  if (rounding == "odd") {
    const double quanta = below / std::max(ulp_at(dtype, x), ulp_at(dtype, 0));
    return std::fmod(std::abs(quanta), 2) == 1 ? below : above;
  }
  const bool tie = x - below == above - x;  // "round": ties away from zero
  return tie ? (x < 0 ? below : above) : nearest;
}

}  // namespace

const FloatFormat& format_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return kHalf;
    case DType::kBFloat16: return kBFloat16;
    case DType::kFloat32: return kSingle;
    default: return kDouble;
  }
}

double ulp_at(DType dtype, double x) {
  const FloatFormat& format = format_of(dtype);
  const double magnitude = std::min(std::abs(x), format.largest);
  const int exponent =
      magnitude >= format.min_normal ? exponent_of(magnitude) : format.min_exponent;
  return power_of_two(exponent - format.precision + 1);
}

double next_up(DType dtype, double x) {
  const FloatFormat& format = format_of(dtype);
  if (std::isnan(x) || x == INFINITY) return x;
  if (x == -INFINITY) return -format.largest;
  if (x >= format.largest) return INFINITY;
  if (x >= 0) return x + ulp_at(dtype, x);
  const double step = ulp_at(dtype, x);
  // From a power of two toward zero the neighbours lie half as far apart.
  int exponent = 0;
  const bool power_of_two = std::frexp(x, &exponent) == -0.5;
  return power_of_two && -x > format.min_normal ? x + step / 2 : x + step;
}

double next_down(DType dtype, double x) { return -next_up(dtype, -x); }

double round_to(DType dtype, double x, bool saturate) {
  if (std::isnan(x) || x == 0) return x;
  const FloatFormat& format = format_of(dtype);
  if (std::isinf(x)) return saturate ? std::copysign(format.largest, x) : x;
  const double ulp = ulp_at(dtype, x);
  // x / ulp is exact: a division by a power of two, of a magnitude below 2^53.
  double rounded = dtype == DType::kFloat64 ? x : std::nearbyint(x / ulp) * ulp;
  if (std::abs(x) >= format.overflow) rounded = std::copysign(INFINITY, x);
  if (!saturate) return rounded;
  return std::clamp(rounded, -format.largest, format.largest);
}

double round_to(DType dtype, double x, bool saturate, std::string_view rounding) {
  const double nearest = round_to(dtype, x, false);
  const double rounded = directed(dtype, x, nearest, rounding);
  const double largest = format_of(dtype).largest;
  return saturate && !std::isnan(x) ? std::clamp(rounded, -largest, largest) : rounded;
}

}  // namespace opkit::oracle
