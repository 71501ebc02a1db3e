// Add, Sub, Mul, Div, Max, Min, And, Or, AddRelu, SubRelu, FusedMulAdd, FusedMulAddRelu (newer name
// MulAddRelu), MulAddDst. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_BINARY_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_BINARY_H_

#include "opkit/include/ascendc/vector_issue.h"

namespace AscendC {
namespace detail {

// count in 16-bit words, whatever the elements are.
template <typename T, typename Count>
OPKIT_INLINE void bitwise(opk_vector_op op, const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                          const LocalTensor<T>& src1, Count count) {
  binary(op, dst.template ReinterpretCast<uint16_t>(), src0.template ReinterpretCast<uint16_t>(),
         src1.template ReinterpretCast<uint16_t>(), count);
}

}  // namespace detail

#define OPKIT_BINARY(Name, OP, accepted, sentence)                                            \
  template <typename T>                                                                       \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,               \
                         const LocalTensor<T>& src1, const int32_t& count) {                  \
    static_assert(accepted, #Name sentence);                                                  \
    detail::binary(OP, dst, src0, src1, count);                                               \
  }                                                                                           \
  template <typename T, bool isSetMask = true>                                                \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,               \
                         const LocalTensor<T>& src1, const uint64_t mask[],                   \
                         const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {  \
    static_assert(accepted, #Name sentence);                                                  \
    detail::binary<isSetMask>(OP, dst, src0, src1, mask, repeatTime, repeatParams);           \
  }                                                                                           \
  template <typename T, bool isSetMask = true>                                                \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,               \
                         const LocalTensor<T>& src1, uint64_t mask, const uint8_t repeatTime, \
                         const BinaryRepeatParams& repeatParams) {                            \
    static_assert(accepted, #Name sentence);                                                  \
    detail::binary<isSetMask>(OP, dst, src0, src1, mask, repeatTime, repeatParams);           \
  }

// Tensors of 32-bit integers are taken by count alone; the count is one of 16-bit words.
#define OPKIT_BITWISE(Name, OP)                                                                 \
  template <typename T>                                                                         \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                 \
                         const LocalTensor<T>& src1, const int32_t& count) {                    \
    static_assert(detail::one_of<T, int16_t, uint16_t, int32_t, uint32_t>(), #Name OPKIT_BITS); \
    detail::bitwise(OP, dst, src0, src1, count);                                                \
  }                                                                                             \
  template <typename T, bool isSetMask = true>                                                  \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                 \
                         const LocalTensor<T>& src1, const uint64_t mask[],                     \
                         const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {    \
    static_assert(detail::one_of<T, int16_t, uint16_t>(), #Name OPKIT_BITS);                    \
    detail::binary<isSetMask>(OP, dst, src0, src1, mask, repeatTime, repeatParams);             \
  }                                                                                             \
  template <typename T, bool isSetMask = true>                                                  \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                 \
                         const LocalTensor<T>& src1, uint64_t mask, const uint8_t repeatTime,   \
                         const BinaryRepeatParams& repeatParams) {                              \
    static_assert(detail::one_of<T, int16_t, uint16_t>(), #Name OPKIT_BITS);                    \
    detail::binary<isSetMask>(OP, dst, src0, src1, mask, repeatTime, repeatParams);             \
  }

#define OPKIT_NUMBERS                                                                      \
  " exists for half, float, int16_t and int32_t only: Cast bfloat16_t to float and 8-bit " \
  "integers "                                                                              \
  "to half first"
#define OPKIT_REALS " exists for half and float only: Cast other types to float first"
#define OPKIT_BITS " exists for int16_t and uint16_t only: use ReinterpretCast<uint16_t>()"

OPKIT_BINARY(Add, OPK_V_ADD, (detail::is_number<T>()), OPKIT_NUMBERS)
OPKIT_BINARY(Sub, OPK_V_SUB, (detail::is_number<T>()), OPKIT_NUMBERS)
OPKIT_BINARY(Mul, OPK_V_MUL, (detail::is_number<T>()), OPKIT_NUMBERS)
OPKIT_BINARY(Max, OPK_V_MAX, (detail::is_number<T>()), OPKIT_NUMBERS)
OPKIT_BINARY(Min, OPK_V_MIN, (detail::is_number<T>()), OPKIT_NUMBERS)
OPKIT_BINARY(Div, OPK_V_DIV, (detail::is_real<T>()), OPKIT_REALS)
OPKIT_BINARY(FusedMulAdd, OPK_V_FUSED_MUL_ADD, (detail::is_real<T>()), OPKIT_REALS)
OPKIT_BINARY(FusedMulAddRelu, OPK_V_FUSED_MUL_ADD_RELU, (detail::is_real<T>()), OPKIT_REALS)
OPKIT_BINARY(MulAddRelu, OPK_V_FUSED_MUL_ADD_RELU, (detail::is_real<T>()), OPKIT_REALS)
OPKIT_BINARY(AddRelu, OPK_V_ADD_RELU, (detail::one_of<T, half, float, int16_t>()),
             " exists for half, float and int16_t only: use Add and Relu, or Cast to float first")
OPKIT_BINARY(SubRelu, OPK_V_SUB_RELU, (detail::one_of<T, half, float, int16_t>()),
             " exists for half, float and int16_t only: use Sub and Relu, or Cast to float first")
OPKIT_BITWISE(And, OPK_V_AND)
OPKIT_BITWISE(Or, OPK_V_OR)

#undef OPKIT_NUMBERS
#undef OPKIT_REALS
#undef OPKIT_BITS
#undef OPKIT_BINARY
#undef OPKIT_BITWISE

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

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_BINARY_H_
