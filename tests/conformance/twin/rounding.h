// Conversions on single values: every source is a long double, which holds them all exactly; the
// two neighbours in the destination are compared with it.
#ifndef TESTS_CONFORMANCE_TWIN_ROUNDING_H_
#define TESTS_CONFORMANCE_TWIN_ROUNDING_H_

#include <cmath>
#include <cstdint>
#include <limits>

namespace twin {

enum Mode { kNone, kRint, kFloor, kCeil, kRound, kTrunc, kOdd };

inline long double to_whole(long double x, Mode mode) {
  const long double below = std::floor(x), above = std::ceil(x);
  if (below == above) return x;
  switch (mode) {
    case kFloor: return below;
    case kCeil: return above;
    case kTrunc: return x < 0 ? above : below;
    case kRound:
      if (x - below == above - x) return x < 0 ? below : above;
      break;
    default:
      if (x - below == above - x) return std::fmod(below, 2.0L) == 0 ? below : above;
  }
  return x - below < above - x ? below : above;
}

template <typename T>
T to_integer(long double x, Mode mode, bool wrap = false) {
  if (x != x) return 0;
  const long double whole = to_whole(x, mode);
  const long double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  if (wrap && std::fabs(whole) < 0x1p63L) return static_cast<T>(static_cast<int64_t>(whole));
  return whole < low    ? std::numeric_limits<T>::min()
         : whole > high ? std::numeric_limits<T>::max()
                        : static_cast<T>(whole);
}

// A binary format with `precision` bits and the given exponents; result as a long double.
struct Format {
  int precision, lowest_exponent;  // make 2^lowest_exponent the smallest normal
  long double largest;
};
constexpr Format kHalf = {11, -14, 65504.0L};
constexpr Format kBFloat = {8, -126, 0x1.fep127L};
constexpr Format kFloat = {24, -126, 0x1.fffffep127L};

inline long double to_format(long double x, Mode mode, const Format& f) {
  if (x != x || std::isinf(x) || x == 0) return x;
  int exponent = std::ilogb(x);
  if (exponent < f.lowest_exponent) exponent = f.lowest_exponent;
  const long double unit = std::ldexp(1.0L, exponent - f.precision + 1);
  long double steps = x / unit;
  if (mode == kOdd) {
    const long double inner = to_whole(steps, kTrunc);
    const bool even = std::fmod(inner, 2.0L) == 0;
    steps = inner == steps || !even ? inner : inner + (x < 0 ? -1 : 1);
  } else {
    steps = to_whole(steps, mode);
  }
  const long double result = steps * unit;
  if (std::fabs(result) <= f.largest) return std::copysign(result, x);
  // Beyond the largest: away from zero means infinity.
  const bool away = mode == kNone || mode == kRint || mode == kRound || (mode == kCeil && x > 0) ||
                    (mode == kFloor && x < 0);
  return std::copysign(away ? static_cast<long double>(INFINITY) : f.largest, x);
}

}  // namespace twin

#endif  // TESTS_CONFORMANCE_TWIN_ROUNDING_H_
