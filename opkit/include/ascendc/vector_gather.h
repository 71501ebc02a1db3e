// Gather, Gatherb, GatherMask. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_GATHER_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_GATHER_H_

#include "opkit/include/ascendc/vector_issue.h"

namespace AscendC {
namespace detail {

#define OPKIT_GATHER_TYPES(T)                     \
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, \
                "Gather, Gatherb and GatherMask exist for 16-bit and 32-bit types only")

template <typename T>
OPKIT_INLINE opk_vector_v1 gathering(opk_vector_op op, const LocalTensor<T>& dst,
                                     const LocalTensor<T>& src,
                                     const LocalTensor<uint32_t>& offset) {
  OPKIT_GATHER_TYPES(T);
  opk_vector_v1 v = vector_call(op, 3);
  put(v.operand[0], dst);
  put(v.operand[1], src);
  put(v.operand[2], offset);
  return v;
}

template <typename T, typename Mask>
OPKIT_INLINE void gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LocalTensor<uint32_t>& offset, uint32_t base, Mask mask,
                         uint8_t repeats, uint16_t stride) {
  opk_vector_v1 v = gathering(OPK_V_GATHER, dst, src, offset);
  put(v.operand[0], dst, 1, stride);
  v.param[0] = static_cast<int32_t>(base);
  set_repeats<T, true>(v, mask, repeats);
  issue(v);
}

template <typename T>
OPKIT_INLINE opk_vector_v1 packing(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                   bool reduceMode, uint32_t mask, const GatherMaskParams& p,
                                   uint64_t& kept) {
  OPKIT_GATHER_TYPES(T);
  opk_vector_v1 v = vector_call(OPK_V_GATHER_MASK, 2);
  put(v.operand[0], dst);
  put(v.operand[1], src, p.src0BlockStride, p.src0RepeatStride);
  v.repeat = p.repeatTimes;
  v.flags = reduceMode;
  v.count = mask;
  v.result = &kept;
  return v;
}
#undef OPKIT_GATHER_TYPES

}  // namespace detail

// dst[i] = the element at byte srcBaseAddr + srcOffset[i] of src.
template <typename T>
OPKIT_INLINE void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
                         const uint32_t count) {
  opk_vector_v1 v = detail::gathering(OPK_V_GATHER, dst, src, srcOffset);
  v.param[0] = static_cast<int32_t>(srcBaseAddr);
  detail::set_count(v, count);
  detail::issue(v);
}
template <typename T>
OPKIT_INLINE void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
                         const uint64_t mask, const uint8_t repeatTime,
                         const uint16_t dstRepStride) {
  detail::gather(dst, src, srcOffset, srcBaseAddr, mask, repeatTime, dstRepStride);
}
template <typename T>
OPKIT_INLINE void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
                         const uint64_t mask[], const uint8_t repeatTime,
                         const uint16_t dstRepStride) {
  detail::gather(dst, src, srcOffset, srcBaseAddr, mask, repeatTime, dstRepStride);
}

// Eight blocks of 32 bytes per iteration.
template <typename T>
OPKIT_INLINE void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                          const LocalTensor<uint32_t>& offset, const uint8_t repeatTime,
                          const GatherRepeatParams& repeatParams) {
  opk_vector_v1 v = detail::gathering(OPK_V_GATHERB, dst, src0, offset);
  detail::put(v.operand[0], dst, repeatParams.dstBlkStride, repeatParams.dstRepStride);
  v.form = OPK_LANES_REGISTER;
  v.repeat = repeatTime;
  detail::issue(v);
}

// Packs the elements whose bit is set. rsvdCnt: how many.
template <typename T, typename U>
OPKIT_INLINE void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                             const LocalTensor<U>& src1Pattern, const bool reduceMode,
                             const uint32_t mask, const GatherMaskParams& gatherMaskParams,
                             uint64_t& rsvdCnt) {
  static_assert(sizeof(U) == sizeof(T) && std::is_unsigned<U>::value,
                "GatherMask takes bits as uint16_t for 16-bit and uint32_t for 32-bit elements");
  opk_vector_v1 v = detail::packing(dst, src0, reduceMode, mask, gatherMaskParams, rsvdCnt);
  v.operand_count = 3;
  detail::put(v.operand[2], src1Pattern, 1, gatherMaskParams.src1RepeatStride);
  detail::issue(v);
}
// Patterns 1 and 2: even and odd elements; 3 to 6: first to fourth of every four; 7: all.
template <typename T>
OPKIT_INLINE void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                             const uint8_t src1Pattern, const bool reduceMode, const uint32_t mask,
                             const GatherMaskParams& gatherMaskParams, uint64_t& rsvdCnt) {
  opk_vector_v1 v = detail::packing(dst, src0, reduceMode, mask, gatherMaskParams, rsvdCnt);
  v.mode = src1Pattern;
  detail::issue(v);
}

// Elements that the last GatherMask kept.
OPKIT_INLINE int64_t GetGatherMaskRemainCount() {
  detail::require_tail(detail::kCoreWithBoundary);
  detail::scalar_sees_registers();
  return static_cast<int64_t>(detail::core()->gather_mask_count);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_GATHER_H_
