// Two steps in one instruction: AddReluCast, SubReluCast, MulCast, AddDeqRelu. (Pages of those
// names.) The mask counts elements of the wider type.
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_JOINED_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_JOINED_H_

#include "opkit/include/ascendc/vector_issue.h"

namespace AscendC {
namespace detail {

template <typename T, typename U>
constexpr bool is_relu_cast() {
  return (one_of<T, half>() && one_of<U, float>()) ||
         (one_of<T, int8_t>() && one_of<U, half, int16_t>());
}
template <typename T, typename U>
constexpr bool is_mul_cast() {
  return one_of<T, int8_t, uint8_t>() && one_of<U, half>();
}
template <typename T, typename U>
constexpr bool is_deq_relu() {
  return one_of<T, half>() && one_of<U, int32_t>();
}

}  // namespace detail

#define OPKIT_JOINED(Name, OP, accepted, Count, sentence)                                          \
  template <typename T, typename U>                                                                \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,                    \
                         const LocalTensor<U>& src1, Count count) {                                \
    static_assert(accepted, #Name sentence);                                                       \
    detail::binary(OP, dst, src0, src1, count);                                                    \
  }                                                                                                \
  template <typename T, typename U, bool isSetMask = true>                                         \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,                    \
                         const LocalTensor<U>& src1, uint64_t mask[], const uint8_t repeatTime,    \
                         const BinaryRepeatParams& repeatParams) {                                 \
    static_assert(accepted, #Name sentence);                                                       \
    detail::binary<isSetMask>(OP, dst, src0, src1, static_cast<const uint64_t*>(mask), repeatTime, \
                              repeatParams);                                                       \
  }                                                                                                \
  template <typename T, typename U, bool isSetMask = true>                                         \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,                    \
                         const LocalTensor<U>& src1, uint64_t mask, const uint8_t repeatTime,      \
                         const BinaryRepeatParams& repeatParams) {                                 \
    static_assert(accepted, #Name sentence);                                                       \
    detail::binary<isSetMask>(OP, dst, src0, src1, mask, repeatTime, repeatParams);                \
  }

OPKIT_JOINED(AddReluCast, OPK_V_ADD_RELU_CAST, (detail::is_relu_cast<T, U>()), const uint32_t,
             " exists for float to half, and half or int16_t to int8_t: use AddRelu and Cast")
OPKIT_JOINED(SubReluCast, OPK_V_SUB_RELU_CAST, (detail::is_relu_cast<T, U>()), const uint32_t,
             " exists for float to half, and half or int16_t to int8_t: use SubRelu and Cast")
OPKIT_JOINED(MulCast, OPK_V_MUL_CAST, (detail::is_mul_cast<T, U>()), uint32_t,
             " exists for half to int8_t or uint8_t: use Mul and Cast")
OPKIT_JOINED(AddDeqRelu, OPK_V_ADD_DEQ_RELU, (detail::is_deq_relu<T, U>()), const int32_t&,
             " exists for int32_t to half: use Add, Cast and Relu")
#undef OPKIT_JOINED

// AddDeqRelu with isSetMask as the only template argument.
template <bool isSetMask>
OPKIT_INLINE void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0,
                             const LocalTensor<int32_t>& src1, uint64_t mask[],
                             const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  AddDeqRelu<half, int32_t, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}
template <bool isSetMask>
OPKIT_INLINE void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0,
                             const LocalTensor<int32_t>& src1, uint64_t mask,
                             const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  AddDeqRelu<half, int32_t, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_JOINED_H_
