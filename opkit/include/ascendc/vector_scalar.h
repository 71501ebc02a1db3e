// Adds, Muls, Maxs, Mins, LeakyRelu, ShiftLeft, ShiftRight, Axpy: a tensor and a scalar. (Pages of
// those names.) Each has two overloads: the scalar in the tensor's element type, and in its
// primitive type.
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_SCALAR_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_SCALAR_H_

#include "opkit/include/ascendc/vector_issue.h"

namespace AscendC {

#define OPKIT_SCALAR_FORMS(Name, OP, template_head, Scalar, accepted, sentence)                 \
  template_head OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,    \
                                       const Scalar& scalarValue, const int32_t& count) {       \
    static_assert(accepted, #Name sentence);                                                    \
    detail::unary(OP, dst, src, count, detail::bits(scalarValue));                              \
  }                                                                                             \
  template_head OPKIT_INLINE void Name(                                                         \
      const LocalTensor<T>& dst, const LocalTensor<T>& src, const Scalar& scalarValue,          \
      const uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) { \
    static_assert(accepted, #Name sentence);                                                    \
    detail::unary<isSetMask>(OP, dst, src, mask, repeatTime, repeatParams,                      \
                             detail::bits(scalarValue));                                        \
  }                                                                                             \
  template_head OPKIT_INLINE void Name(                                                         \
      const LocalTensor<T>& dst, const LocalTensor<T>& src, const Scalar& scalarValue,          \
      uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {         \
    static_assert(accepted, #Name sentence);                                                    \
    detail::unary<isSetMask>(OP, dst, src, mask, repeatTime, repeatParams,                      \
                             detail::bits(scalarValue));                                        \
  }

#define OPKIT_SAME_HEAD template <typename T, bool isSetMask = true>
#define OPKIT_PRIMITIVE_HEAD                               \
  template <typename T, typename U, bool isSetMask = true, \
            std::enable_if_t<std::is_same<PrimT<T>, U>::value, bool> = true>

#define OPKIT_SCALAR(Name, OP, accepted, sentence)                     \
  OPKIT_SCALAR_FORMS(Name, OP, OPKIT_SAME_HEAD, T, accepted, sentence) \
  OPKIT_SCALAR_FORMS(Name, OP, OPKIT_PRIMITIVE_HEAD, U, accepted, sentence)

#define OPKIT_NUMBERS                                                                      \
  " exists for half, float, int16_t and int32_t only: Cast bfloat16_t to float and 8-bit " \
  "integers "                                                                              \
  "to half first"

OPKIT_SCALAR(Adds, OPK_V_ADDS, (detail::is_number<T>()), OPKIT_NUMBERS)
OPKIT_SCALAR(Muls, OPK_V_MULS, (detail::is_number<T>()), OPKIT_NUMBERS)
OPKIT_SCALAR(Maxs, OPK_V_MAXS, (detail::is_number<T>()), OPKIT_NUMBERS)
OPKIT_SCALAR(Mins, OPK_V_MINS, (detail::is_number<T>()), OPKIT_NUMBERS)
OPKIT_SCALAR(LeakyRelu, OPK_V_LEAKY_RELU, (detail::is_real<T>()),
             " exists for half and float only: Cast other types to float first")

#undef OPKIT_NUMBERS

#define OPKIT_SHIFT_TYPES \
  " exists for int16_t, uint16_t, int32_t and uint32_t only: use ReinterpretCast"
#define OPKIT_SHIFTABLE (detail::one_of<T, int16_t, uint16_t, int32_t, uint32_t>())

OPKIT_SCALAR(ShiftLeft, OPK_V_SHIFT_LEFT, OPKIT_SHIFTABLE, OPKIT_SHIFT_TYPES)

// Arithmetic for signed types. roundEn: half a unit is added before the shift.
#define OPKIT_SHIFT_RIGHT(template_head, Scalar)                                                   \
  template_head OPKIT_INLINE void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                                             const Scalar& scalarValue, const int32_t& count) {    \
    static_assert(OPKIT_SHIFTABLE, "ShiftRight" OPKIT_SHIFT_TYPES);                                \
    detail::unary(OPK_V_SHIFT_RIGHT, dst, src, count, detail::bits(scalarValue));                  \
  }                                                                                                \
  template_head OPKIT_INLINE void ShiftRight(                                                      \
      const LocalTensor<T>& dst, const LocalTensor<T>& src, const Scalar& scalarValue,             \
      const uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams& repeatParams,      \
      bool roundEn = false) {                                                                      \
    static_assert(OPKIT_SHIFTABLE, "ShiftRight" OPKIT_SHIFT_TYPES);                                \
    detail::unary<isSetMask>(OPK_V_SHIFT_RIGHT, dst, src, mask, repeatTime, repeatParams,          \
                             detail::bits(scalarValue), 0, roundEn);                               \
  }                                                                                                \
  template_head OPKIT_INLINE void ShiftRight(                                                      \
      const LocalTensor<T>& dst, const LocalTensor<T>& src, const Scalar& scalarValue,             \
      uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams& repeatParams,              \
      bool roundEn = false) {                                                                      \
    static_assert(OPKIT_SHIFTABLE, "ShiftRight" OPKIT_SHIFT_TYPES);                                \
    detail::unary<isSetMask>(OPK_V_SHIFT_RIGHT, dst, src, mask, repeatTime, repeatParams,          \
                             detail::bits(scalarValue), 0, roundEn);                               \
  }
OPKIT_SHIFT_RIGHT(OPKIT_SAME_HEAD, T)
OPKIT_SHIFT_RIGHT(OPKIT_PRIMITIVE_HEAD, U)

#undef OPKIT_SHIFT_RIGHT
#undef OPKIT_SHIFTABLE
#undef OPKIT_SHIFT_TYPES
#undef OPKIT_SCALAR
#undef OPKIT_PRIMITIVE_HEAD
#undef OPKIT_SAME_HEAD
#undef OPKIT_SCALAR_FORMS

namespace detail {
template <typename T, typename U>
constexpr bool is_axpy() {
  return (std::is_same<T, U>::value && is_real<T>()) || (one_of<T, float>() && one_of<U, half>());
}
}  // namespace detail

// dst += scalar * src.
template <typename T, typename U>
OPKIT_INLINE void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
                       const int32_t& count) {
  static_assert(detail::is_axpy<T, U>(),
                "Axpy exists for half, float, and half into float only: Cast to float first");
  detail::unary(OPK_V_AXPY, dst, src, count, detail::bits(scalarValue));
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
                       const uint64_t mask[], const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
  static_assert(detail::is_axpy<T, U>(),
                "Axpy exists for half, float, and half into float only: Cast to float first");
  detail::unary<isSetMask>(OPK_V_AXPY, dst, src, mask, repeatTime, repeatParams,
                           detail::bits(scalarValue));
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
                       uint64_t mask, const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
  static_assert(detail::is_axpy<T, U>(),
                "Axpy exists for half, float, and half into float only: Cast to float first");
  detail::unary<isSetMask>(OPK_V_AXPY, dst, src, mask, repeatTime, repeatParams,
                           detail::bits(scalarValue));
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_SCALAR_H_
