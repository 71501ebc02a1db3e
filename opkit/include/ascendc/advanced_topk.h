// TopK: the k largest or smallest values of every row and their indices. (Page "TopK", algorithm
// MERGE_SORT.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_TOPK_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_TOPK_H_

#include "kernel_tiling/kernel_tiling.h"
#include "opkit/include/ascendc/advanced_config.h"
#include "opkit/include/ascendc/advanced_rows.h"
#include "opkit/include/ascendc/sync.h"

namespace AscendC {

// No page names it; published kernels for this chip divide by it.
constexpr uint32_t TWO = 2;

// Rows, elements of a row (a multiple of 32), and those that are data.
struct TopKInfo {
  int32_t outter = 1;
  int32_t inner;
  int32_t n;
};

namespace detail {

struct TopKShape {
  uint32_t rows, inner, k;
  int32_t invalid;  // the index of finished rows
};

template <typename T>
OPKIT_INLINE bool topk_shape(TopKShape& s, const TopKInfo& info, int32_t k, bool small) {
  const auto wrong = [](const char* what, int32_t value) {
    refuse_shape("TopK", what, static_cast<uint64_t>(value));
    return false;
  };
  if (info.outter < 1) return wrong("outter must be at least 1", info.outter);
  if (info.inner < 32 || info.inner % 32 != 0 || info.inner > 4096)
    return wrong("inner must be a multiple of 32 up to 4096", info.inner);
  if (small && info.inner != 32) return wrong("inner must be 32 in small mode", info.inner);
  if (info.n < 1 || info.n > info.inner) return wrong("n must be from 1 to inner", info.n);
  if (k < 1 || k > info.n) return wrong("k must be from 1 to n", k);
  s = {static_cast<uint32_t>(info.outter), static_cast<uint32_t>(info.inner),
       static_cast<uint32_t>(k), info.n};
  return true;
}

// Values to be sorted descending: src itself, or its negatives.
template <typename T>
OPKIT_INLINE LocalTensor<T> sorting_values(const LocalTensor<T>& src, const LocalTensor<T>& room,
                                           uint32_t n, bool largest) {
  if (largest) return src;
  Muls(room, src, static_cast<T>(-1.0f), static_cast<int32_t>(n));
  return room;
}

template <bool isInitIndex, typename T>
OPKIT_INLINE void topk_rows(const LocalTensor<T>& values, const LocalTensor<int32_t>& indices,
                            const LocalTensor<T>& src, const LocalTensor<int32_t>& src_index,
                            const LocalTensor<uint8_t>& tmp, const TopKShape& s, bool largest) {
  Scratch scratch("TopK", tmp);
  const uint32_t words = GetSortLen<T>(s.inner);
  const LocalTensor<T> room = scratch.take<T>(s.inner), sorted = scratch.take<T>(words);
  LocalTensor<T> other = scratch.take<T>(words);
  const LocalTensor<int32_t> made = scratch.take<int32_t>(s.inner);
  if (!isInitIndex) CreateVecIndex(made, 0, s.inner);
  const LocalTensor<uint32_t> index =
      (isInitIndex ? src_index : made).template ReinterpretCast<uint32_t>();
  const uint32_t value_pitch = align_to(s.k, block_lanes<T>()), index_pitch = align_to(s.k, 8);
  uint64_t kept = 0;
  for (uint32_t i = 0; i < s.rows; ++i) {
    const LocalTensor<T> x = sorting_values(src[i * s.inner], room, s.inner, largest);
    Sort<T, true>(sorted, x, index, other, static_cast<int32_t>(s.inner / 32));
    const LocalTensor<T> to = values[i * value_pitch];
    GatherMask(to, sorted, sizeof(T) == 4 ? 1 : 3, true, GetSortLen<T>(s.k),
               GatherMaskParams(1, 1, 0, 0), kept);
    GatherMask(indices[i * index_pitch].template ReinterpretCast<uint32_t>(),
               sorted.template ReinterpretCast<uint32_t>(), 2, true, 2 * s.k,
               GatherMaskParams(1, 1, 0, 0), kept);
    if (!largest) Muls(to, to, static_cast<T>(-1.0f), static_cast<int32_t>(s.k));
  }
}

// words[i] = every `step`th bit from `first` on, for the first k pairs of 8 bytes of 256; a word
// has as many bits as fit W.
template <typename W>
OPKIT_INLINE void pair_bits(const LocalTensor<W>& words, uint32_t k, uint32_t step,
                            uint32_t first) {
  constexpr uint32_t kBits = 8 * sizeof(W);
  for (uint32_t word = 0; word < 32 * step / kBits; ++word) {
    uint32_t bits = 0;
    for (uint32_t bit = first; bit < kBits; bit += step)
      if ((word * kBits + bit) / step < k) bits |= 1u << bit;
    const uint64_t mask[2] = {uint64_t{1} << word, 0};
    Duplicate(words, static_cast<W>(bits), mask, 1, 1, 8);
  }
}

// Rows of 32, without padding between the results.
template <bool isInitIndex, typename T>
OPKIT_INLINE void topk_small(const LocalTensor<T>& values, const LocalTensor<int32_t>& indices,
                             const LocalTensor<T>& src, const LocalTensor<int32_t>& src_index,
                             const LocalTensor<uint8_t>& tmp, const TopKShape& s, bool largest) {
  using Word = std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>;
  constexpr uint32_t kRows = 32;  // counts the rows of one round
  const uint32_t most = s.rows < kRows ? s.rows : kRows;
  Scratch scratch("TopK", tmp);
  const LocalTensor<T> room = scratch.take<T>(32 * most);
  const LocalTensor<T> sorted = scratch.take<T>(GetSortLen<T>(32 * most));
  const LocalTensor<int32_t> made = scratch.take<int32_t>(32 * most);
  const LocalTensor<Word> value_bits = scratch.take<Word>(16);
  const LocalTensor<uint32_t> index_bits = scratch.take<uint32_t>(8);
  pair_bits(value_bits, s.k, 8 / sizeof(T), 0);
  pair_bits(index_bits, s.k, 2, 1);
  ResetMask();
  for (uint32_t i = 0; !isInitIndex && i < most; ++i) CreateVecIndex(made[i * 32], 0, 32);
  uint64_t kept = 0;
  for (uint32_t first = 0; first < s.rows; first += kRows) {
    const uint32_t rows = s.rows - first < kRows ? s.rows - first : kRows;
    const LocalTensor<T> x = sorting_values(src[first * 32], room, rows * 32, largest);
    const LocalTensor<int32_t> index = isInitIndex ? src_index[first * 32] : made;
    Sort32(sorted, x, index.ReinterpretCast<uint32_t>(), static_cast<int32_t>(rows));
    const GatherMaskParams every(1, static_cast<uint16_t>(rows), 8, 0);
    const LocalTensor<T> to = values[first * s.k];
    GatherMask(to, sorted, value_bits, false, 0, every, kept);
    GatherMask(indices[first * s.k].template ReinterpretCast<uint32_t>(),
               sorted.template ReinterpretCast<uint32_t>(), index_bits, false, 0, every, kept);
    if (!largest) Muls(to, to, static_cast<T>(-1.0f), static_cast<int32_t>(rows * s.k));
  }
}

// Indices of finished rows become n.
OPKIT_INLINE void finish_rows(const LocalTensor<int32_t>& indices,
                              const LocalTensor<bool>& finished, const TopKShape& s, bool small) {
  PipeBarrier<PIPE_ALL>();
  const uint32_t pitch = small ? s.k : align_to(s.k, 8);
  for (uint32_t i = 0; i < s.rows; ++i) {
    if (!finished.GetValue(i)) continue;
    for (uint32_t j = 0; j < s.k; ++j) indices.SetValue(i * pitch + j, s.invalid);
  }
  PipeBarrier<PIPE_ALL>();
}

template <bool isInitIndex, bool isHasfinish, TopKMode mode, typename T>
OPKIT_INLINE void topk(const LocalTensor<T>& values, const LocalTensor<int32_t>& indices,
                       const LocalTensor<T>& src, const LocalTensor<int32_t>& src_index,
                       const LocalTensor<bool>& finished, const LocalTensor<uint8_t>& tmp,
                       int32_t k, const TopKInfo& info, bool largest) {
  static_assert(is_real<T>(), "TopK exists for half and float only on this chip: Cast to float");
  constexpr bool kSmall = mode == TopKMode::TOPK_NSMALL;
  TopKShape s{};
  if (!topk_shape<T>(s, info, k, kSmall)) return;
  const uint32_t row = kSmall ? s.k : align_to(s.k, block_lanes<T>());
  const uint32_t index_row = kSmall ? s.k : align_to(s.k, 8), size = s.rows * s.inner;
  const Extent x = extent(src, size), xs = extent(src_index, kSmall ? size : s.inner);
  const Extent known = isInitIndex ? xs : Extent{};
  if (excludes_overlap("TopK", extent(values, s.rows * row), x, known) ||
      excludes_overlap("TopK", extent(indices, s.rows * index_row), x, known))
    return;
  if constexpr (kSmall) {
    topk_small<isInitIndex>(values, indices, src, src_index, tmp, s, largest);
  } else {
    topk_rows<isInitIndex>(values, indices, src, src_index, tmp, s, largest);
  }
  if constexpr (isHasfinish) finish_rows(indices, finished, s, kSmall);
}

}  // namespace detail

template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          enum TopKMode topkMode = TopKMode::TOPK_NORMAL>
OPKIT_INLINE void TopK(const LocalTensor<T>& dstValueLocal,
                       const LocalTensor<int32_t>& dstIndexLocal, const LocalTensor<T>& srcLocal,
                       const LocalTensor<int32_t>& srcIndexLocal,
                       const LocalTensor<bool>& finishLocal, const int32_t k,
                       const TopkTiling& tilling, const TopKInfo& topKInfo,
                       const bool isLargest = true) {
  const detail::LibraryCall in_library("TopK");
  (void)tilling;
  detail::topk<isInitIndex, isHasfinish, topkMode>(dstValueLocal, dstIndexLocal, srcLocal,
                                                   srcIndexLocal, finishLocal, detail::rest_of_ub(),
                                                   k, topKInfo, isLargest);
}
template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          enum TopKMode topkMode = TopKMode::TOPK_NORMAL>
OPKIT_INLINE void TopK(const LocalTensor<T>& dstValueLocal,
                       const LocalTensor<int32_t>& dstIndexLocal, const LocalTensor<T>& srcLocal,
                       const LocalTensor<int32_t>& srcIndexLocal,
                       const LocalTensor<bool>& finishLocal, const LocalTensor<uint8_t>& tmpLocal,
                       const int32_t k, const TopkTiling& tilling, const TopKInfo& topKInfo,
                       const bool isLargest = true) {
  const detail::LibraryCall in_library("TopK");
  (void)tilling;
  detail::topk<isInitIndex, isHasfinish, topkMode>(dstValueLocal, dstIndexLocal, srcLocal,
                                                   srcIndexLocal, finishLocal, tmpLocal, k,
                                                   topKInfo, isLargest);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_TOPK_H_
