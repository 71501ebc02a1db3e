// std::numeric_limits of half and bfloat16_t.
#ifndef OPKIT_INCLUDE_ASCENDC_LIMITS_H_
#define OPKIT_INCLUDE_ASCENDC_LIMITS_H_

#include <limits>

#include "opkit/include/ascendc/base.h"

namespace AscendC {
namespace detail {

// A limit of half. The device's compiler takes `c ? 1.0f : limit` as a float, which no class can
// say that floats convert to as well: nothing converts to this one.
struct HalfLimit : half {
  explicit constexpr HalfLimit(uint16_t pattern) : half(half::from_bits(pattern)) {}
  constexpr operator float() const { return opkit::num_detail::half_bits_to_float(bits); }
};

// Whether a call for elements of T takes a scalar of U: its element type, or a limit of it.
template <typename T, typename U>
constexpr bool is_scalar_of = std::is_same<PrimT<T>, U>::value ||
                              (std::is_same<PrimT<T>, half>::value &&
                               std::is_same<U, HalfLimit>::value);

struct FloatLimits {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false,
                        is_exact = false, has_infinity = true, has_quiet_NaN = true,
                        has_signaling_NaN = false, is_iec559 = true, is_bounded = true,
                        is_modulo = false, traps = false, tinyness_before = false;
  static constexpr int radix = 2;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
};

}  // namespace detail
}  // namespace AscendC

namespace std {

template <>
class numeric_limits<half> : public ::AscendC::detail::FloatLimits {
  using Limit = ::AscendC::detail::HalfLimit;

 public:
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5, min_exponent = -13,
                       max_exponent = 16;
  static constexpr Limit min() { return Limit(0x0400); }
  static constexpr Limit max() { return Limit(0x7bff); }
  static constexpr Limit lowest() { return Limit(0xfbff); }
  static constexpr Limit epsilon() { return Limit(0x1400); }
  static constexpr Limit infinity() { return Limit(0x7c00); }
  static constexpr Limit quiet_NaN() { return Limit(0x7e00); }
  static constexpr Limit denorm_min() { return Limit(0x0001); }
};

template <>
class numeric_limits<bfloat16_t> : public ::AscendC::detail::FloatLimits {
 public:
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4, min_exponent = -125,
                       max_exponent = 128;
  static constexpr bfloat16_t min() { return bfloat16_t::from_bits(0x0080); }
  static constexpr bfloat16_t max() { return bfloat16_t::from_bits(0x7f7f); }
  static constexpr bfloat16_t lowest() { return bfloat16_t::from_bits(0xff7f); }
  static constexpr bfloat16_t epsilon() { return bfloat16_t::from_bits(0x3c00); }
  static constexpr bfloat16_t infinity() { return bfloat16_t::from_bits(0x7f80); }
  static constexpr bfloat16_t quiet_NaN() { return bfloat16_t::from_bits(0x7fc0); }
  static constexpr bfloat16_t denorm_min() { return bfloat16_t::from_bits(0x0001); }
};

}  // namespace std

#endif  // OPKIT_INCLUDE_ASCENDC_LIMITS_H_
