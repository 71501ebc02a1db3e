// Brcb, CreateVecIndex, ArithProgression (Arange), Copy. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_INDEX_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_INDEX_H_

#include "opkit/include/ascendc/vector_duplicate.h"

namespace AscendC {

template <typename T>
OPKIT_INLINE void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                       const uint8_t repeatTime, const BrcbRepeatParams& repeatParams) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "Brcb exists for 16-bit and 32-bit types only");
  opk_vector_v1 v = detail::vector_call(OPK_V_BRCB, 2);
  detail::put(v.operand[0], dst, repeatParams.dstBlkStride, repeatParams.dstRepStride);
  detail::put(v.operand[1], src0);
  v.repeat = repeatTime;
  detail::issue(v);
}

namespace detail {
template <bool isSetMask, typename T, typename Mask>
OPKIT_INLINE void create_index(const LocalTensor<T>& dst, const T& first, Mask mask,
                               uint8_t repeats, uint16_t block, uint8_t repeat) {
  static_assert(is_number<T>(), "CreateVecIndex exists for half, float, int16_t and int32_t only");
  opk_vector_v1 v = vector_call(OPK_V_CREATE_VEC_INDEX, 1);
  put(v.operand[0], dst, block, repeat);
  v.scalar[0] = bits(first);
  set_repeats<T, isSetMask>(v, mask, repeats);
  issue(v);
}
}  // namespace detail

template <typename T>
OPKIT_INLINE void CreateVecIndex(LocalTensor<T> dst, const T& firstValue, uint32_t count) {
  static_assert(detail::is_number<T>(),
                "CreateVecIndex exists for half, float, int16_t and int32_t only");
  opk_vector_v1 v = detail::vector_call(OPK_V_CREATE_VEC_INDEX, 1);
  detail::put(v.operand[0], dst);
  v.scalar[0] = detail::bits(firstValue);
  detail::set_count(v, count);
  detail::issue(v);
}
template <typename T>
OPKIT_INLINE void CreateVecIndex(LocalTensor<T> dst, const T& firstValue, uint64_t mask,
                                 uint8_t repeatTime, uint16_t dstBlkStride, uint8_t dstRepStride) {
  detail::create_index<true>(dst, firstValue, mask, repeatTime, dstBlkStride, dstRepStride);
}
template <typename T>
OPKIT_INLINE void CreateVecIndex(LocalTensor<T> dst, const T& firstValue, const uint64_t mask[],
                                 uint8_t repeatTime, uint16_t dstBlkStride, uint8_t dstRepStride) {
  detail::create_index<true>(dst, firstValue, mask, repeatTime, dstBlkStride, dstRepStride);
}

#define OPKIT_PROGRESSION(Name)                                                            \
  template <typename T>                                                                    \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const T firstValue, const T diffValue, \
                         const int32_t count) {                                            \
    static_assert(detail::is_number<T>(),                                                  \
                  #Name " exists for half, float, int16_t and int32_t only");              \
    opk_vector_v1 v = detail::vector_call(OPK_V_ARITH_PROGRESSION, 1);                     \
    detail::put(v.operand[0], dst);                                                        \
    v.scalar[0] = detail::bits(firstValue);                                                \
    v.scalar[1] = detail::bits(diffValue);                                                 \
    detail::set_count(v, count);                                                           \
    detail::issue(v);                                                                      \
  }
OPKIT_PROGRESSION(ArithProgression)
OPKIT_PROGRESSION(Arange)
#undef OPKIT_PROGRESSION

namespace detail {
template <bool isSetMask, typename T, typename Mask>
OPKIT_INLINE void copy_vector(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask,
                              uint8_t repeats, const CopyRepeatParams& p) {
  static_assert(is_word<T>(), "Copy exists for 16-bit and 32-bit types only: use ReinterpretCast");
  opk_vector_v1 v = vector_call(OPK_V_COPY, 2);
  put(v.operand[0], dst, p.dstStride, p.dstRepeatSize);
  put(v.operand[1], src, p.srcStride, p.srcRepeatSize);
  set_repeats<T, isSetMask>(v, mask, repeats);
  issue(v);
}
}  // namespace detail

template <typename T, bool isSetMask = true>
OPKIT_INLINE void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],
                       const uint8_t repeatTime, const CopyRepeatParams& repeatParams) {
  detail::copy_vector<isSetMask>(dst, src, mask, repeatTime, repeatParams);
}
template <typename T, bool isSetMask = true>
OPKIT_INLINE void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask,
                       const uint8_t repeatTime, const CopyRepeatParams& repeatParams) {
  detail::copy_vector<isSetMask>(dst, src, mask, repeatTime, repeatParams);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_INDEX_H_
