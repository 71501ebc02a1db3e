// ReduceSum/Max/Min, WholeReduce..., BlockReduce..., PairReduceSum, RepeatReduceSum, the newer
// templates ReduceRepeat, ReduceDataBlock, ReducePairElem, and the registers they leave. (Pages of
// those names.) Mind the order: Whole... and Reduce... take (mask, repeatTime), Block... and
// Pair... take (repeatTime, mask).
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_REDUCE_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_REDUCE_H_

#include "opkit/include/ascendc/vector_issue.h"

namespace AscendC {
namespace detail {

#define OPKIT_REDUCE_TYPES(T) \
  static_assert(is_real<T>(), "Reductions exist for half and float only: Cast to float first")

template <typename T>
OPKIT_INLINE opk_vector_v1 reduction(opk_vector_op op, const LocalTensor<T>& dst,
                                     const LocalTensor<T>& src, const LocalTensor<T>& tmp) {
  OPKIT_REDUCE_TYPES(T);
  opk_vector_v1 v = vector_call(op, 3);
  put(v.operand[0], dst);
  put(v.operand[1], src);
  put(v.operand[2], tmp);
  return v;
}

template <typename T>
OPKIT_INLINE void reduce(opk_vector_op op, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LocalTensor<T>& tmp, int32_t count, bool index) {
  opk_vector_v1 v = reduction(op, dst, src, tmp);
  v.flags = index;
  set_count(v, count);
  issue(v);
}

// The mask register holds the count.
template <typename T>
OPKIT_INLINE void reduce_counted(opk_vector_op op, const LocalTensor<T>& dst,
                                 const LocalTensor<T>& src, const LocalTensor<T>& tmp) {
  opk_vector_v1 v = reduction(op, dst, src, tmp);
  v.flags = 2;
  set_repeats<T, false>(v, MASK_PLACEHOLDER, 1);
  issue(v);
}

OPKIT_INLINE uint32_t times(int32_t repeats) {
  return repeats < 0 ? 0xffffu : static_cast<uint32_t>(repeats);
}

template <bool isSetMask, typename T, typename Mask>
OPKIT_INLINE void reduce(opk_vector_op op, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const LocalTensor<T>& tmp, Mask mask, int32_t repeats, int32_t stride,
                         bool index) {
  opk_vector_v1 v = reduction(op, dst, src, tmp);
  put(v.operand[1], src, 1, static_cast<uint32_t>(stride));
  v.flags = index;
  set_repeats<T, isSetMask>(v, mask, times(repeats));
  issue(v);
}

template <bool isSetMask, typename T, typename Mask>
OPKIT_INLINE void reduce_repeats(opk_vector_op op, const LocalTensor<T>& dst,
                                 const LocalTensor<T>& src, Mask mask, int32_t repeats,
                                 int32_t dstRep, int32_t srcBlk, int32_t srcRep, uint8_t mode = 0) {
  OPKIT_REDUCE_TYPES(T);
  opk_vector_v1 v = vector_call(op, 2);
  put(v.operand[0], dst);
  put(v.operand[1], src, static_cast<uint32_t>(srcBlk), static_cast<uint32_t>(srcRep));
  v.param[0] = dstRep;
  v.mode = mode;
  set_repeats<T, isSetMask>(v, mask, times(repeats));
  issue(v);
}
#undef OPKIT_REDUCE_TYPES

template <ReduceType type>
constexpr opk_vector_op whole_op() {
  return type == ReduceType::SUM   ? OPK_V_WHOLE_REDUCE_SUM
         : type == ReduceType::MAX ? OPK_V_WHOLE_REDUCE_MAX
                                   : OPK_V_WHOLE_REDUCE_MIN;
}
template <ReduceType type>
constexpr opk_vector_op block_op() {
  return type == ReduceType::SUM   ? OPK_V_BLOCK_REDUCE_SUM
         : type == ReduceType::MAX ? OPK_V_BLOCK_REDUCE_MAX
                                   : OPK_V_BLOCK_REDUCE_MIN;
}

}  // namespace detail

template <typename T, bool isSetMask = true>
OPKIT_INLINE void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                            const LocalTensor<T>& sharedTmpBuffer, const int32_t count) {
  if constexpr (isSetMask)
    detail::reduce(OPK_V_REDUCE_SUM, dst, src, sharedTmpBuffer, count, false);
  else
    detail::reduce_counted(OPK_V_REDUCE_SUM, dst, src, sharedTmpBuffer);
}
template <typename T>
OPKIT_INLINE void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                            const LocalTensor<T>& sharedTmpBuffer, const uint64_t mask[],
                            const int32_t repeatTime, const int32_t srcRepStride) {
  detail::reduce<true>(OPK_V_REDUCE_SUM, dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride,
                       false);
}
template <typename T>
OPKIT_INLINE void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                            const LocalTensor<T>& sharedTmpBuffer, const int32_t mask,
                            const int32_t repeatTime, const int32_t srcRepStride) {
  detail::reduce<true>(OPK_V_REDUCE_SUM, dst, src, sharedTmpBuffer, static_cast<uint64_t>(mask),
                       repeatTime, srcRepStride, false);
}

#define OPKIT_REDUCE_EXTREME(Name, OP)                                                             \
  template <typename T>                                                                            \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                     \
                         const LocalTensor<T>& sharedTmpBuffer, const int32_t count,               \
                         bool calIndex = 0) {                                                      \
    detail::reduce(OP, dst, src, sharedTmpBuffer, count, calIndex);                                \
  }                                                                                                \
  template <typename T>                                                                            \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                     \
                         const LocalTensor<T>& sharedTmpBuffer, const uint64_t mask[],             \
                         const int32_t repeatTime, const int32_t srcRepStride,                     \
                         bool calIndex = 0) {                                                      \
    detail::reduce<true>(OP, dst, src, sharedTmpBuffer, mask, repeatTime, srcRepStride, calIndex); \
  }                                                                                                \
  template <typename T>                                                                            \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                     \
                         const LocalTensor<T>& sharedTmpBuffer, const int32_t mask,                \
                         const int32_t repeatTime, const int32_t srcRepStride,                     \
                         bool calIndex = 0) {                                                      \
    detail::reduce<true>(OP, dst, src, sharedTmpBuffer, static_cast<uint64_t>(mask), repeatTime,   \
                         srcRepStride, calIndex);                                                  \
  }
OPKIT_REDUCE_EXTREME(ReduceMax, OPK_V_REDUCE_MAX)
OPKIT_REDUCE_EXTREME(ReduceMin, OPK_V_REDUCE_MIN)
#undef OPKIT_REDUCE_EXTREME

template <typename T, bool isSetMask = true>
OPKIT_INLINE void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const uint64_t mask[], const int32_t repeatTime,
                                 const int32_t dstRepStride, const int32_t srcBlkStride,
                                 const int32_t srcRepStride) {
  detail::reduce_repeats<isSetMask>(OPK_V_WHOLE_REDUCE_SUM, dst, src, mask, repeatTime,
                                    dstRepStride, srcBlkStride, srcRepStride);
}
template <typename T, bool isSetMask = true>
OPKIT_INLINE void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const int32_t mask, const int32_t repeatTime,
                                 const int32_t dstRepStride, const int32_t srcBlkStride,
                                 const int32_t srcRepStride) {
  detail::reduce_repeats<isSetMask>(OPK_V_WHOLE_REDUCE_SUM, dst, src, static_cast<uint64_t>(mask),
                                    repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}
template <typename T, bool isSetMask = true>
OPKIT_INLINE void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                  const int32_t repeatTime, const int32_t mask,
                                  const int32_t dstBlkStride, const int32_t srcBlkStride,
                                  const int32_t dstRepStride, const int32_t srcRepStride) {
  (void)dstBlkStride;
  detail::reduce_repeats<isSetMask>(OPK_V_WHOLE_REDUCE_SUM, dst, src, static_cast<uint64_t>(mask),
                                    repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}

#define OPKIT_WHOLE_EXTREME(Name, OP)                                                              \
  template <typename T, bool isSetMask = true>                                                     \
  OPKIT_INLINE void Name(                                                                          \
      const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],                 \
      const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,            \
      const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {            \
    detail::reduce_repeats<isSetMask>(OP, dst, src, mask, repeatTime, dstRepStride, srcBlkStride,  \
                                      srcRepStride, static_cast<uint8_t>(order));                  \
  }                                                                                                \
  template <typename T, bool isSetMask = true>                                                     \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask, \
                         const int32_t repeatTime, const int32_t dstRepStride,                     \
                         const int32_t srcBlkStride, const int32_t srcRepStride,                   \
                         ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                     \
    detail::reduce_repeats<isSetMask>(OP, dst, src, static_cast<uint64_t>(mask), repeatTime,       \
                                      dstRepStride, srcBlkStride, srcRepStride,                    \
                                      static_cast<uint8_t>(order));                                \
  }
OPKIT_WHOLE_EXTREME(WholeReduceMax, OPK_V_WHOLE_REDUCE_MAX)
OPKIT_WHOLE_EXTREME(WholeReduceMin, OPK_V_WHOLE_REDUCE_MIN)
#undef OPKIT_WHOLE_EXTREME

#define OPKIT_PART_REDUCE(Name, OP)                                                                \
  template <typename T, bool isSetMask = true>                                                     \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                     \
                         const int32_t repeatTime, const uint64_t mask[],                          \
                         const int32_t dstRepStride, const int32_t srcBlkStride,                   \
                         const int32_t srcRepStride) {                                             \
    detail::reduce_repeats<isSetMask>(OP, dst, src, mask, repeatTime, dstRepStride, srcBlkStride,  \
                                      srcRepStride);                                               \
  }                                                                                                \
  template <typename T, bool isSetMask = true>                                                     \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                     \
                         const int32_t repeatTime, const int32_t mask, const int32_t dstRepStride, \
                         const int32_t srcBlkStride, const int32_t srcRepStride) {                 \
    detail::reduce_repeats<isSetMask>(OP, dst, src, static_cast<uint64_t>(mask), repeatTime,       \
                                      dstRepStride, srcBlkStride, srcRepStride);                   \
  }
OPKIT_PART_REDUCE(BlockReduceSum, OPK_V_BLOCK_REDUCE_SUM)
OPKIT_PART_REDUCE(BlockReduceMax, OPK_V_BLOCK_REDUCE_MAX)
OPKIT_PART_REDUCE(BlockReduceMin, OPK_V_BLOCK_REDUCE_MIN)
OPKIT_PART_REDUCE(PairReduceSum, OPK_V_PAIR_REDUCE_SUM)
#undef OPKIT_PART_REDUCE

template <ReduceType type, typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                               const uint64_t mask[], const int32_t repeatTime,
                               const int32_t dstRepStride, const int32_t srcBlkStride,
                               const int32_t srcRepStride,
                               ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
  detail::reduce_repeats<isSetMask>(detail::whole_op<type>(), dst, src, mask, repeatTime,
                                    dstRepStride, srcBlkStride, srcRepStride,
                                    static_cast<uint8_t>(order));
}
template <ReduceType type, typename T, typename U, bool isSetMask = true>
OPKIT_INLINE void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                               const int32_t mask, const int32_t repeatTime,
                               const int32_t dstRepStride, const int32_t srcBlkStride,
                               const int32_t srcRepStride,
                               ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
  detail::reduce_repeats<isSetMask>(detail::whole_op<type>(), dst, src, static_cast<uint64_t>(mask),
                                    repeatTime, dstRepStride, srcBlkStride, srcRepStride,
                                    static_cast<uint8_t>(order));
}

#define OPKIT_NEWER_REDUCE(Name, head, OP)                                                        \
  head OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src,               \
                              const uint64_t mask[], const int32_t repeatTime,                    \
                              const int32_t dstRepStride, const int32_t srcBlkStride,             \
                              const int32_t srcRepStride) {                                       \
    detail::reduce_repeats<isSetMask>(OP, dst, src, mask, repeatTime, dstRepStride, srcBlkStride, \
                                      srcRepStride);                                              \
  }                                                                                               \
  head OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src,               \
                              const int32_t mask, const int32_t repeatTime,                       \
                              const int32_t dstRepStride, const int32_t srcBlkStride,             \
                              const int32_t srcRepStride) {                                       \
    detail::reduce_repeats<isSetMask>(OP, dst, src, static_cast<uint64_t>(mask), repeatTime,      \
                                      dstRepStride, srcBlkStride, srcRepStride);                  \
  }
#define OPKIT_TYPED_HEAD template <ReduceType type, typename T, typename U, bool isSetMask = true>
OPKIT_NEWER_REDUCE(ReduceDataBlock, OPKIT_TYPED_HEAD, detail::block_op<type>())
OPKIT_NEWER_REDUCE(ReducePairElem, OPKIT_TYPED_HEAD, OPK_V_PAIR_REDUCE_SUM)
#undef OPKIT_TYPED_HEAD
#undef OPKIT_NEWER_REDUCE

namespace detail {
template <typename T>
OPKIT_INLINE T reduced_value() {
  scalar_sees_registers();
  T value;
  __builtin_memcpy(&value, &core()->reduce_value, sizeof(T));
  return value;
}
// An index is an integer of the element's width.
template <typename T>
OPKIT_INLINE T reduced_index() {
  scalar_sees_registers();
  T value;
  __builtin_memcpy(&value, &core()->reduce_index, sizeof(T));
  return value;
}
}  // namespace detail

// Returns what the last reduction left.
template <typename T>
OPKIT_INLINE T GetAccVal() {
  return detail::reduced_value<T>();
}
template <typename T>
OPKIT_INLINE void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex) {
  maxMinValue = detail::reduced_value<T>();
  maxMinIndex = detail::reduced_index<T>();
}
template <typename T>
OPKIT_INLINE void GetReduceMaxMinCount(T& maxMinValue) {
  maxMinValue = detail::reduced_value<T>();
}
template <typename T>
OPKIT_INLINE void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex) {
  GetReduceMaxMinCount(maxMinValue, maxMinIndex);
}
template <typename T>
OPKIT_INLINE void GetReduceRepeatMaxMinSpr(T& maxMinValue) {
  GetReduceMaxMinCount(maxMinValue);
}
template <typename T>
OPKIT_INLINE T GetReduceRepeatSumSpr() {
  return detail::reduced_value<T>();
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_REDUCE_H_
