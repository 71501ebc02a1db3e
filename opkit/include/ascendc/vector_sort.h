// Sort32, MrgSort, Sort, Concat, Extract and their helpers. (Pages of those names.) Lists are pairs
// of 8 bytes: score first, index in bytes 4 to 7.
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_SORT_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_SORT_H_

#include "opkit/include/ascendc/vector_gather.h"

namespace AscendC {

template <typename T>
OPKIT_INLINE void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                         const LocalTensor<uint32_t>& src1, const int32_t repeatTime) {
  static_assert(detail::is_real<T>(), "Sort32 exists for half and float only: Cast to float first");
  opk_vector_v1 v = detail::vector_call(OPK_V_SORT32, 3);
  detail::put(v.operand[0], dst);
  detail::put(v.operand[1], src0);
  detail::put(v.operand[2], src1);
  v.repeat = repeatTime < 0 || repeatTime > 0xffff ? 0xffff : static_cast<uint16_t>(repeatTime);
  detail::issue(v);
}

namespace detail {
template <typename T>
OPKIT_INLINE void merge(const LocalTensor<T>& dst, const MrgSortSrcList<T>& lists,
                        const uint16_t lengths[4], bool suspend, uint16_t valid, uint16_t repeats) {
  static_assert(is_real<T>(), "MrgSort exists for half and float only");
  opk_vector_v1 v = vector_call(OPK_V_MRG_SORT, 5);
  put(v.operand[0], dst);
  put(v.operand[1], lists.src1);
  put(v.operand[2], lists.src2);
  if (valid & 4) put(v.operand[3], lists.src3);
  if (valid & 8) put(v.operand[4], lists.src4);
  for (int i = 0; i < 4; ++i) v.param[i] = lengths[i];
  v.mode = static_cast<uint8_t>(valid);
  v.flags = suspend;
  v.repeat = repeats;
  issue(v);
}
}  // namespace detail

template <typename T>
OPKIT_INLINE void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src,
                          const MrgSort4Info& params) {
  detail::merge(dst, src, params.elementLengths, params.ifExhaustedSuspension, params.validBit,
                params.repeatTimes);
}
// How many pairs the last MrgSort took from each list.
OPKIT_INLINE void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2,
                                   uint16_t& mrgSortList3, uint16_t& mrgSortList4) {
  detail::scalar_sees_registers();
  const uint16_t* counts = detail::core()->merge_counts;
  mrgSortList1 = counts[0];
  mrgSortList2 = counts[1];
  mrgSortList3 = counts[2];
  mrgSortList4 = counts[3];
}
template <typename T, bool isExhaustedSuspension = false>
OPKIT_INLINE void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList,
                          const uint16_t elementCountList[4], uint32_t sortedNum[4],
                          uint16_t validBit, const int32_t repeatTime) {
  detail::merge(dst, sortList, elementCountList, isExhaustedSuspension, validBit,
                static_cast<uint16_t>(repeatTime));
  detail::scalar_sees_registers();
  for (int i = 0; i < 4; ++i) sortedNum[i] = detail::core()->merge_counts[i];
}

// Elements of T that n pairs take.
template <typename T>
OPKIT_INLINE uint32_t GetSortOffset(const uint32_t elemOffset) {
  return elemOffset * static_cast<uint32_t>(8 / sizeof(T));
}
template <typename T>
OPKIT_INLINE uint32_t GetSortLen(const uint32_t elemCount) {
  return elemCount * static_cast<uint32_t>(8 / sizeof(T));
}

// On this chip scores are sorted where they are.
template <typename T>
OPKIT_INLINE void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src,
                         const LocalTensor<T>& tmp, const int32_t repeatTime) {
  (void)tmp;
  (void)repeatTime;
  concat = src;
}

namespace detail {

// Merges runs of `run` pairs four at a time until one run is left; dst and tmp swap roles, and the
// result ends in dst.
template <typename T>
void merge_runs(const LocalTensor<T>& dst, LocalTensor<T>& tmp, uint32_t pairs) {
  LocalTensor<T> from = dst, to = tmp;
  for (uint32_t run = 32; run < pairs; run *= 4) {
    for (uint32_t first = 0; first < pairs; first += 4 * run) {
      uint16_t lengths[4] = {0, 0, 0, 0};
      uint32_t lists = 0;
      for (; lists < 4 && first + lists * run < pairs; ++lists) {
        const uint32_t rest = pairs - first - lists * run;
        lengths[lists] = static_cast<uint16_t>(rest < run ? rest : run);
      }
      const uint32_t at = GetSortOffset<T>(first), step = GetSortOffset<T>(run);
      if (lists == 1) {
        lengths[1] = 0;
        lists = 2;
      }
      const uint32_t used = lists < 2 ? 1 : lists;
      const MrgSortSrcList<T> sources(from[at], from[at + (used > 1 && lengths[1] ? step : 0)],
                                      from[at + (used > 2 ? 2 * step : 0)],
                                      from[at + (used > 3 ? 3 * step : 0)]);
      merge(to[at], sources, lengths, false, static_cast<uint16_t>((1u << used) - 1), 1);
    }
    const LocalTensor<T> old = from;
    from = to;
    to = old;
  }
  if (from.address_.bufferAddr == dst.address_.bufferAddr) return;
  uint64_t kept = 0;
  const uint32_t words = pairs * 2;
  GatherMask(dst.template ReinterpretCast<uint32_t>(), from.template ReinterpretCast<uint32_t>(), 7,
             true, words, GatherMaskParams(1, 1, 0, 0), kept);
}

}  // namespace detail

// Groups of 32 pairs, descending; isFullSort: all of them in one order.
template <typename T, bool isFullSort>
OPKIT_INLINE void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat,
                       const LocalTensor<uint32_t>& index, LocalTensor<T>& tmp,
                       const int32_t repeatTime) {
  const detail::LibraryCall call("Sort");
  Sort32(dst, concat, index, repeatTime);
  if (isFullSort && repeatTime > 1)
    detail::merge_runs(dst, tmp, static_cast<uint32_t>(repeatTime) * 32);
}

// Splits 32 pairs per repeat into scores and indices.
template <typename T>
OPKIT_INLINE void Extract(const LocalTensor<T>& dstValue, const LocalTensor<uint32_t>& dstIndex,
                          const LocalTensor<T>& sorted, const int32_t repeatTime) {
  static_assert(detail::is_real<T>(), "Extract exists for half and float only");
  const detail::LibraryCall call("Extract");
  const auto pairs = static_cast<uint32_t>(repeatTime) * 32;
  uint64_t kept = 0;
  GatherMask(dstIndex, sorted.template ReinterpretCast<uint32_t>(), 2, true, 2 * pairs,
             GatherMaskParams(1, 1, 0, 0), kept);
  // Scores: every second word of four bytes, every fourth of two.
  GatherMask(dstValue, sorted, sizeof(T) == 4 ? 1 : 3, true,
             pairs * static_cast<uint32_t>(8 / sizeof(T)), GatherMaskParams(1, 1, 0, 0), kept);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_SORT_H_
