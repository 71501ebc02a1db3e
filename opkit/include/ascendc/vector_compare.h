// Compare, CompareScalar (Compares), GetCmpMask, SetCmpMask, Select. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_COMPARE_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_COMPARE_H_

#include "opkit/include/ascendc/vector_issue.h"

namespace AscendC {
namespace detail {

#define OPKIT_COMPARE_TYPES                                                                   \
  static_assert(one_of<T, half, float, int32_t>(),                                            \
                "Compare exists for half, float and int32_t (EQ) only: Cast to float first"); \
  static_assert(one_of<U, uint8_t, int8_t, uint16_t>(),                                       \
                "Compare writes bits: dst is uint8_t or int8_t")

template <typename T, typename U>
OPKIT_INLINE opk_vector_v1 comparison(opk_vector_op op, const LocalTensor<U>& dst,
                                      const LocalTensor<T>& src0, CMPMODE mode, uint8_t operands) {
  OPKIT_COMPARE_TYPES;
  opk_vector_v1 v = vector_call(op, operands);
  put(v.operand[0], dst);
  put(v.operand[1], src0);
  v.mode = static_cast<uint8_t>(mode);
  return v;
}
#undef OPKIT_COMPARE_TYPES

template <bool isSetMask, typename T, typename U, typename Mask>
OPKIT_INLINE void compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                          const LocalTensor<T>& src1, CMPMODE mode, Mask mask, uint8_t repeats,
                          const BinaryRepeatParams& p) {
  opk_vector_v1 v = comparison(OPK_V_COMPARE, dst, src0, mode, 3);
  put(v.operand[1], src0, p.src0BlkStride, p.src0RepStride);
  put(v.operand[2], src1, p.src1BlkStride, p.src1RepStride);
  set_repeats<T, isSetMask>(v, mask, repeats);
  issue(v);
}

template <bool isSetMask, typename T, typename U, typename Mask>
OPKIT_INLINE void compare_scalar(const LocalTensor<U>& dst, const LocalTensor<T>& src, T scalar,
                                 CMPMODE mode, Mask mask, uint8_t repeats,
                                 const UnaryRepeatParams& p) {
  opk_vector_v1 v = comparison(OPK_V_COMPARE_SCALAR, dst, src, mode, 2);
  put(v.operand[1], src, p.srcBlkStride, p.srcRepStride);
  v.scalar[0] = bits(scalar);
  set_repeats<T, isSetMask>(v, mask, repeats);
  issue(v);
}

// Into the compare register.
template <bool isSetMask, typename T, typename Mask>
OPKIT_INLINE void compare_register(const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                                   CMPMODE mode, Mask mask, const BinaryRepeatParams& p) {
  static_assert(one_of<T, half, float, int32_t>(),
                "Compare exists for half, float and int32_t (EQ) only: Cast to float first");
  opk_vector_v1 v = vector_call(OPK_V_COMPARE, 3);
  put(v.operand[1], src0, p.src0BlkStride, p.src0RepStride);
  put(v.operand[2], src1, p.src1BlkStride, p.src1RepStride);
  v.mode = static_cast<uint8_t>(mode);
  v.flags = 1;
  set_repeats<T, isSetMask>(v, mask, 1);
  issue(v);
}

}  // namespace detail

template <typename T, typename U>
OPKIT_INLINE void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                          const LocalTensor<T>& src1, CMPMODE cmpMode, uint32_t count) {
  opk_vector_v1 v = detail::comparison(OPK_V_COMPARE, dst, src0, cmpMode, 3);
  detail::put(v.operand[2], src1);
  detail::set_count(v, count);
  detail::issue(v);
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                          const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask[],
                          uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  detail::compare<isSetMask>(dst, src0, src1, cmpMode, mask, repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                          const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask,
                          uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  detail::compare<isSetMask>(dst, src0, src1, cmpMode, mask, repeatTime, repeatParams);
}
template <typename T, bool isSetMask = true>
OPKIT_INLINE void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                          const uint64_t mask[], const BinaryRepeatParams& repeatParams) {
  detail::compare_register<isSetMask>(src0, src1, cmpMode, mask, repeatParams);
}
template <typename T, bool isSetMask = true>
OPKIT_INLINE void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                          const uint64_t mask, const BinaryRepeatParams& repeatParams) {
  detail::compare_register<isSetMask>(src0, src1, cmpMode, mask, repeatParams);
}

#define OPKIT_COMPARE_SCALAR(Name)                                                      \
  template <typename T, typename U>                                                     \
  OPKIT_INLINE void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0,         \
                         const T src1Scalar, CMPMODE cmpMode, uint32_t count) {         \
    opk_vector_v1 v = detail::comparison(OPK_V_COMPARE_SCALAR, dst, src0, cmpMode, 2);  \
    v.scalar[0] = detail::bits(src1Scalar);                                             \
    detail::set_count(v, count);                                                        \
    detail::issue(v);                                                                   \
  }                                                                                     \
  template <typename T, typename U, bool isSetMask = true>                              \
  OPKIT_INLINE void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0,         \
                         const T src1Scalar, CMPMODE cmpMode, const uint64_t mask[],    \
                         uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {   \
    detail::compare_scalar<isSetMask>(dst, src0, src1Scalar, cmpMode, mask, repeatTime, \
                                      repeatParams);                                    \
  }                                                                                     \
  template <typename T, typename U, bool isSetMask = true>                              \
  OPKIT_INLINE void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0,         \
                         const T src1Scalar, CMPMODE cmpMode, const uint64_t mask,      \
                         uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {   \
    detail::compare_scalar<isSetMask>(dst, src0, src1Scalar, cmpMode, mask, repeatTime, \
                                      repeatParams);                                    \
  }
OPKIT_COMPARE_SCALAR(CompareScalar)
OPKIT_COMPARE_SCALAR(Compares)
#undef OPKIT_COMPARE_SCALAR

// The compare register: 16 bytes.
template <typename T>
OPKIT_INLINE void GetCmpMask(const LocalTensor<T>& dst) {
  for (uint32_t i = 0; i < 16 / sizeof(T); ++i) {
    T part;
    detail::scalar_sees_registers();
    __builtin_memcpy(&part, reinterpret_cast<const char*>(detail::core()->cmp_mask) + i * sizeof(T),
                     sizeof(T));
    dst.SetValue(i, part);
  }
}
template <typename T>
OPKIT_INLINE void SetCmpMask(const LocalTensor<T>& src) {
  for (uint32_t i = 0; i < 16 / sizeof(T); ++i) {
    const T part = src.GetValue(i);
    __builtin_memcpy(reinterpret_cast<char*>(detail::core()->cmp_mask) + i * sizeof(T), &part,
                     sizeof(T));
  }
}

namespace detail {

template <typename T>
OPKIT_INLINE opk_vector_v1 selection(opk_vector_op op, const LocalTensor<T>& dst,
                                     const LocalTensor<T>& src0, uint8_t operands, SELMODE mode) {
  static_assert(is_real<T>(),
                "Select exists for half and float only: use ReinterpretCast<half>() "
                "or <float>() of a type of the same width");
  opk_vector_v1 v = vector_call(op, operands);
  put(v.operand[0], dst);
  put(v.operand[2], src0);
  v.mode = static_cast<uint8_t>(mode);
  return v;
}

template <bool isSetMask, typename T, typename U, typename Mask>
OPKIT_INLINE void select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                         const LocalTensor<T>& src0, const LocalTensor<T>& src1, SELMODE mode,
                         Mask mask, uint8_t repeats, const BinaryRepeatParams& p) {
  opk_vector_v1 v = selection(OPK_V_SELECT, dst, src0, 4, mode);
  put(v.operand[0], dst, p.dstBlkStride, p.dstRepStride);
  put(v.operand[1], selMask);
  put(v.operand[2], src0, p.src0BlkStride, p.src0RepStride);
  put(v.operand[3], src1, p.src1BlkStride, p.src1RepStride);
  set_repeats<T, isSetMask>(v, mask, repeats);
  issue(v);
}

template <bool isSetMask, typename T, typename U, typename Mask>
OPKIT_INLINE void select_scalar(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                                const LocalTensor<T>& src0, T src1, SELMODE mode, Mask mask,
                                uint8_t repeats, const BinaryRepeatParams& p) {
  opk_vector_v1 v = selection(OPK_V_SELECT_SCALAR, dst, src0, 3, mode);
  put(v.operand[0], dst, p.dstBlkStride, p.dstRepStride);
  put(v.operand[1], selMask);
  put(v.operand[2], src0, p.src0BlkStride, p.src0RepStride);
  v.scalar[0] = bits(src1);
  set_repeats<T, isSetMask>(v, mask, repeats);
  issue(v);
}

// The bits whose address the compare register holds: up to the end of UB. The page "SetCmpMask"
// fills the register with the low 32 bits of the address, which are enough.
OPKIT_INLINE void put_bits_of_register(opk_operand& o) {
  scalar_sees_registers();
  const opk_core* c = core();
  uint8_t* const ub = static_cast<uint8_t*>(c->memory[OPK_MEM_UB]);
  const uint32_t offset = static_cast<uint32_t>(c->cmp_mask[0] - reinterpret_cast<uint64_t>(ub));
  o.address = ub + offset;
  o.bytes = offset < c->memory_size[OPK_MEM_UB] ? c->memory_size[OPK_MEM_UB] - offset : 0;
  o.dtype = OPK_UINT8;
  o.memory = OPK_MEM_UB;
}

}  // namespace detail

template <typename T, typename U>
OPKIT_INLINE void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                         const LocalTensor<T>& src0, const LocalTensor<T>& src1, SELMODE selMode,
                         uint32_t count) {
  opk_vector_v1 v = detail::selection(OPK_V_SELECT, dst, src0, 4, selMode);
  detail::put(v.operand[1], selMask);
  detail::put(v.operand[3], src1);
  detail::set_count(v, count);
  detail::issue(v);
}
template <typename T, typename U>
OPKIT_INLINE void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                         const LocalTensor<T>& src0, T src1, SELMODE selMode, uint32_t count) {
  opk_vector_v1 v = detail::selection(OPK_V_SELECT_SCALAR, dst, src0, 3, selMode);
  detail::put(v.operand[1], selMask);
  v.scalar[0] = detail::bits(src1);
  detail::set_count(v, count);
  detail::issue(v);
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                         const LocalTensor<T>& src0, const LocalTensor<T>& src1, SELMODE selMode,
                         const uint64_t mask[], uint8_t repeatTime,
                         const BinaryRepeatParams& repeatParams) {
  detail::select<isSetMask>(dst, selMask, src0, src1, selMode, mask, repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                         const LocalTensor<T>& src0, const LocalTensor<T>& src1, SELMODE selMode,
                         uint64_t mask, uint8_t repeatTime,
                         const BinaryRepeatParams& repeatParams) {
  detail::select<isSetMask>(dst, selMask, src0, src1, selMode, mask, repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                         const LocalTensor<T>& src0, T src1, SELMODE selMode, const uint64_t mask[],
                         uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  detail::select_scalar<isSetMask>(dst, selMask, src0, src1, selMode, mask, repeatTime,
                                   repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                         const LocalTensor<T>& src0, T src1, SELMODE selMode, uint64_t mask,
                         uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  detail::select_scalar<isSetMask>(dst, selMask, src0, src1, selMode, mask, repeatTime,
                                   repeatParams);
}
// By the compare register, under the mask register (page SetCmpMask): mode 0, the register holds
// the bits; mode 2, it holds their address.
template <typename T, SELMODE selMode>
OPKIT_INLINE void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                         const LocalTensor<T>& src1, uint8_t repeatTime,
                         const BinaryRepeatParams& p) {
  opk_vector_v1 v = detail::selection(OPK_V_SELECT, dst, src0, 4, selMode);
  detail::put(v.operand[0], dst, p.dstBlkStride, p.dstRepStride);
  detail::put(v.operand[2], src0, p.src0BlkStride, p.src0RepStride);
  detail::put(v.operand[3], src1, p.src1BlkStride, p.src1RepStride);
  if constexpr (selMode == SELMODE::VSEL_TENSOR_TENSOR_MODE)
    detail::put_bits_of_register(v.operand[1]);
  else
    v.flags = 1;
  v.form = OPK_LANES_REGISTER;
  v.repeat = repeatTime;
  detail::issue(v);
}
// Mode 1: where a bit of selMask is 0, the first element that SetCmpMask put into the register.
template <typename T, typename U>
OPKIT_INLINE void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                         const LocalTensor<T>& src0, uint8_t repeatTime,
                         const BinaryRepeatParams& repeatParams) {
  opk_vector_v1 v =
      detail::selection(OPK_V_SELECT_SCALAR, dst, src0, 3, SELMODE::VSEL_TENSOR_SCALAR_MODE);
  detail::put(v.operand[0], dst, repeatParams.dstBlkStride, repeatParams.dstRepStride);
  detail::put(v.operand[1], selMask);
  detail::put(v.operand[2], src0, repeatParams.src0BlkStride, repeatParams.src0RepStride);
  detail::scalar_sees_registers();
  v.scalar[0] = detail::core()->cmp_mask[0] & (~uint64_t{0} >> (64 - detail::bits_of<T>()));
  v.form = OPK_LANES_REGISTER;
  v.repeat = repeatTime;
  detail::issue(v);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_COMPARE_H_
