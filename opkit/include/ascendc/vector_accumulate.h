// What reads its destination or takes one argument more: MulAddDst, Axpy, ShiftRight. (Pages of
// those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_ACCUMULATE_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_ACCUMULATE_H_

#include "opkit/include/ascendc/vector_types.h"

namespace AscendC {

#define OPKIT_SAME_HEAD template <typename T, bool isSetMask = true>
#define OPKIT_PRIMITIVE_HEAD                               \
  template <typename T, typename U, bool isSetMask = true, \
            std::enable_if_t<detail::is_scalar_of<T, U>, bool> = true>

// Arithmetic for signed types. roundEn: half a unit is added before the shift.
#define OPKIT_SHIFT_RIGHT(template_head, Scalar, more)                                             \
  template_head OPKIT_INLINE void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                                             const Scalar& scalarValue,                            \
                                             const int32_t& count more) {                          \
    static_assert(OPKIT_TYPES_INTS, "ShiftRight" OPKIT_SENTENCE_INTS);                             \
    detail::unary(OPK_V_SHIFT_RIGHT, dst, src, count, detail::bits(scalarValue));                  \
  }                                                                                                \
  template_head OPKIT_INLINE void ShiftRight(                                                      \
      const LocalTensor<T>& dst, const LocalTensor<T>& src, const Scalar& scalarValue,             \
      const uint64_t mask[], const uint8_t repeatTime, const UnaryRepeatParams& repeatParams,      \
      bool roundEn = false more) {                                                                 \
    static_assert(OPKIT_TYPES_INTS, "ShiftRight" OPKIT_SENTENCE_INTS);                             \
    detail::unary<isSetMask>(OPK_V_SHIFT_RIGHT, dst, src, mask, repeatTime, repeatParams,          \
                             detail::bits(scalarValue), 0, roundEn);                               \
  }                                                                                                \
  template_head OPKIT_INLINE void ShiftRight(                                                      \
      const LocalTensor<T>& dst, const LocalTensor<T>& src, const Scalar& scalarValue,             \
      uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams& repeatParams,              \
      bool roundEn = false more) {                                                                 \
    static_assert(OPKIT_TYPES_INTS, "ShiftRight" OPKIT_SENTENCE_INTS);                             \
    detail::unary<isSetMask>(OPK_V_SHIFT_RIGHT, dst, src, mask, repeatTime, repeatParams,          \
                             detail::bits(scalarValue), 0, roundEn);                               \
  }
#define OPKIT_PRIMITIVE , detail::ByPrimitive = {}
OPKIT_SHIFT_RIGHT(OPKIT_SAME_HEAD, T, )
OPKIT_SHIFT_RIGHT(OPKIT_PRIMITIVE_HEAD, U, OPKIT_PRIMITIVE)
#undef OPKIT_PRIMITIVE

#undef OPKIT_SHIFT_RIGHT
#undef OPKIT_PRIMITIVE_HEAD
#undef OPKIT_SAME_HEAD

namespace detail {
template <typename T, typename U>
constexpr bool is_multiply_add() {
  return (std::is_same<T, U>::value && is_real<T>()) || (one_of<T, float>() && one_of<U, half>());
}
}  // namespace detail

// dst += src0 * src1.
template <typename T, typename U>
OPKIT_INLINE void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                            const LocalTensor<U>& src1, const int32_t& count) {
  static_assert(detail::is_multiply_add<T, U>(),
                "MulAddDst exists for half, float, and half into float only: Cast to float first");
  detail::binary(OPK_V_MUL_ADD_DST, dst, src0, src1, count);
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                            const LocalTensor<U>& src1, const uint64_t mask[],
                            const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  static_assert(detail::is_multiply_add<T, U>(),
                "MulAddDst exists for half, float, and half into float only: Cast to float first");
  detail::binary<isSetMask>(OPK_V_MUL_ADD_DST, dst, src0, src1, mask, repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                            const LocalTensor<U>& src1, uint64_t mask, const uint8_t repeatTime,
                            const BinaryRepeatParams& repeatParams) {
  static_assert(detail::is_multiply_add<T, U>(),
                "MulAddDst exists for half, float, and half into float only: Cast to float first");
  detail::binary<isSetMask>(OPK_V_MUL_ADD_DST, dst, src0, src1, mask, repeatTime, repeatParams);
}

// dst += scalar * src.
template <typename T, typename U>
OPKIT_INLINE void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
                       const int32_t& count) {
  static_assert(detail::is_multiply_add<T, U>(),
                "Axpy exists for half, float, and half into float only: Cast to float first");
  detail::unary(OPK_V_AXPY, dst, src, count, detail::bits(scalarValue));
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
                       const uint64_t mask[], const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
  static_assert(detail::is_multiply_add<T, U>(),
                "Axpy exists for half, float, and half into float only: Cast to float first");
  detail::unary<isSetMask>(OPK_V_AXPY, dst, src, mask, repeatTime, repeatParams,
                           detail::bits(scalarValue));
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
                       uint64_t mask, const uint8_t repeatTime,
                       const UnaryRepeatParams& repeatParams) {
  static_assert(detail::is_multiply_add<T, U>(),
                "Axpy exists for half, float, and half into float only: Cast to float first");
  detail::unary<isSetMask>(OPK_V_AXPY, dst, src, mask, repeatTime, repeatParams,
                           detail::bits(scalarValue));
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_ACCUMULATE_H_
