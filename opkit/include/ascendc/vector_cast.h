// Cast and the scalar conversions. (Pages "Cast", "ScalarCast".)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_CAST_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_CAST_H_

#include "opkit/include/ascendc/vector_issue.h"

namespace AscendC {
namespace detail {

// T <- U on arch 2201.
template <typename T, typename U>
constexpr bool cast_exists() {
  if (std::is_same<T, half>::value)
    return one_of<U, int4b_t, int8_t, uint8_t, int16_t, int32_t, float>();
  if (std::is_same<T, float>::value)
    return one_of<U, half, bfloat16_t, int16_t, int32_t, int64_t, float>();
  if (std::is_same<T, int32_t>::value) return one_of<U, half, bfloat16_t, float, int64_t>();
  if (std::is_same<T, int16_t>::value) return one_of<U, half, float, int32_t>();
  if (std::is_same<T, int64_t>::value) return one_of<U, int32_t, float>();
  if (std::is_same<T, bfloat16_t>::value) return std::is_same<U, float>::value;
  return one_of<T, int4b_t, int8_t, uint8_t>() && std::is_same<U, half>::value;
}
template <typename T, typename U>
constexpr bool is_cast() {
  return cast_exists<PrimT<T>, PrimT<U>>();
}

}  // namespace detail

#define OPKIT_CAST_SENTENCE \
  "Cast does not exist for this pair of types on arch 2201: go through float or half in two steps"

template <typename T, typename U>
OPKIT_INLINE void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                       const RoundMode& roundMode, const uint32_t count) {
  static_assert(detail::is_cast<T, U>(), OPKIT_CAST_SENTENCE);
  detail::unary(OPK_V_CAST, dst, src, count, 0, static_cast<uint8_t>(roundMode));
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                       const RoundMode& roundMode, const uint64_t mask[], const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
  static_assert(detail::is_cast<T, U>(), OPKIT_CAST_SENTENCE);
  detail::unary<isSetMask>(OPK_V_CAST, dst, src, mask, repeatTime, repeatParams, 0,
                           static_cast<uint8_t>(roundMode));
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                       const RoundMode& roundMode, const uint64_t mask, const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
  static_assert(detail::is_cast<T, U>(), OPKIT_CAST_SENTENCE);
  detail::unary<isSetMask>(OPK_V_CAST, dst, src, mask, repeatTime, repeatParams, 0,
                           static_cast<uint8_t>(roundMode));
}
#undef OPKIT_CAST_SENTENCE

namespace detail {

// float -> whole number, without the C library.
template <RoundMode roundMode>
inline double rounded(float value) {
  const double x = static_cast<double>(value);
  if (roundMode == RoundMode::CAST_FLOOR) return __builtin_floor(x);
  if (roundMode == RoundMode::CAST_CEIL) return __builtin_ceil(x);
  if (roundMode == RoundMode::CAST_ROUND) return __builtin_round(x);
  if (roundMode == RoundMode::CAST_TRUNC) return __builtin_trunc(x);
  return __builtin_nearbyint(x);
}

inline half half_with_odd_end(float value) {
  half result(value);
  const float back = static_cast<float>(result);
  if (back == value || value != value) return result;
  const bool away = value < 0 ? back < value : back > value;
  if (away) result.bits = static_cast<uint16_t>(result.bits - 1);
  result.bits = static_cast<uint16_t>(result.bits | 1);
  return result;
}

}  // namespace detail

// Converts one float to half (CAST_ODD) or int32_t (the other modes); saturating, NaN gives 0.
template <typename T, typename U, RoundMode roundMode>
inline U ScalarCast(T value) {
  static_assert(std::is_same<T, float>::value && detail::one_of<U, half, int32_t>(),
                "ScalarCast exists for float to half and float to int32_t only");
  if constexpr (std::is_same<U, half>::value) {
    static_assert(roundMode == RoundMode::CAST_ODD, "ScalarCast to half has CAST_ODD only");
    return detail::half_with_odd_end(value);
  } else {
    const double x = detail::rounded<roundMode>(value);
    if (x != x) return 0;
    if (x >= 2147483647.0) return 2147483647;
    return x <= -2147483648.0 ? -2147483647 - 1 : static_cast<int32_t>(x);
  }
}

// Newer names of the scalar conversions.
template <typename T, typename U, RoundMode roundMode>
inline U Cast(T valueIn) {
  return ScalarCast<T, U, roundMode>(valueIn);
}
OPKIT_INLINE bfloat16_t Cast(const float& fVal) { return bfloat16_t(fVal); }
OPKIT_INLINE float Cast(const bfloat16_t& bVal) { return bVal.wide(); }

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_CAST_H_
