// CumSum: running sums down the rows or along them. (Page "CumSum".) Sums are kept in float.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_CUMSUM_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_CUMSUM_H_

#include "opkit/include/ascendc/advanced_permute.h"
#include "opkit/include/ascendc/advanced_rows.h"

namespace AscendC {

enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE = 0, CUMSUM_ALGORITHM_SKLANSKY = 1 };
struct CumSumConfig {
  bool isLastAxis{true};
  bool isReuseSource{false};
  bool outputLastRow{false};
  CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};
inline constexpr CumSumConfig defaultCumSumConfig{};
// Rows and columns.
struct CumSumInfo {
  uint32_t outter{0};
  uint32_t inner{0};
};

namespace detail {

// dst[i] = src[0] + ... + src[i].
template <typename T>
OPKIT_INLINE void cumulate_rows(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                const LocalTensor<uint8_t>& tmp, const CumSumInfo& p) {
  const auto n = static_cast<int32_t>(p.inner);
  if constexpr (std::is_same<T, float>::value) {
    Muls(dst, src, 1.0f, n);
    for (uint32_t i = 1; i < p.outter; ++i)
      Add(dst[i * p.inner], dst[(i - 1) * p.inner], src[i * p.inner], n);
  } else {
    Scratch scratch("CumSum", tmp);
    const LocalTensor<float> sum = scratch.take<float>(p.inner);
    const LocalTensor<float> row = scratch.take<float>(p.inner);
    Cast(sum, src, RoundMode::CAST_NONE, p.inner);
    for (uint32_t i = 0; i < p.outter; ++i) {
      if (i > 0) {
        Cast(row, src[i * p.inner], RoundMode::CAST_NONE, p.inner);
        Add(sum, sum, row, n);
      }
      Cast(dst[i * p.inner], sum, RoundMode::CAST_NONE, p.inner);
    }
  }
}

// Eight rows at a time, transposed: column j of the sums is column j - 1 plus the source's column
// j.
template <typename T>
OPKIT_INLINE void cumulate_columns(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                   const LocalTensor<uint8_t>& tmp, const CumSumInfo& p) {
  constexpr uint32_t kRows = 8;
  Scratch scratch("CumSum", tmp);
  const LocalTensor<float> wide = scratch.take<float>(kRows * p.inner);
  const LocalTensor<float> turned = scratch.take<float>(kRows * p.inner);
  const LocalTensor<uint8_t> rest = scratch.take<uint8_t>(scratch.left() / 32 * 32);
  for (uint32_t first = 0; first < p.outter; first += kRows) {
    const uint32_t rows = p.outter - first < kRows ? p.outter - first : kRows;
    const uint32_t count = rows * p.inner;
    const LocalTensor<float> x = as_floats(src[first * p.inner], wide, count);
    permute("CumSum", turned, x, rest, {{{kRows, p.inner}, {p.inner, 1}}, 2, {}, 0, count});
    for (uint32_t j = 1; j < p.inner; ++j)
      Add(turned[j * kRows], turned[j * kRows], turned[(j - 1) * kRows], kRows);
    const LocalTensor<float> y = result_of(dst[first * p.inner], wide);
    permute("CumSum", y, turned, rest, {{{p.inner, kRows}, {rows, 1}}, 2, {}, 0, kRows * p.inner});
    finish_result(dst[first * p.inner], y, count);
  }
}

template <const CumSumConfig& config, typename T>
OPKIT_INLINE void cumsum(const LocalTensor<T>& dst, const LocalTensor<T>& last,
                         const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp,
                         const CumSumInfo& p) {
  static_assert(is_real<T>(), "CumSum exists for half and float only: Cast other types to float");
  static_assert(config.algorithm == CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE,
                "CumSum with CUMSUM_ALGORITHM_SKLANSKY exists on Ascend 950 only: use "
                "CUMSUM_ALGORITHM_LINEBYLINE");
  if (!is_whole_row<T>("CumSum", p.inner)) return;
  if (p.outter == 0) return refuse_shape("CumSum", "outter must be at least 1", p.outter);
  if constexpr (config.isLastAxis) {
    if (overlap(dst, src, p.outter * p.inner)) return refuse_overlap("CumSum");
    cumulate_columns(dst, src, tmp, p);
  } else {
    cumulate_rows(dst, src, tmp, p);
  }
  if constexpr (config.outputLastRow)
    Muls(last, dst[(p.outter - 1) * p.inner], static_cast<T>(1.0f), static_cast<int32_t>(p.inner));
}

}  // namespace detail

template <typename T, const CumSumConfig& config = defaultCumSumConfig>
OPKIT_INLINE void CumSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& lastRowTensor,
                         const LocalTensor<T>& srcTensor,
                         const LocalTensor<uint8_t>& sharedTmpBuffer,
                         const CumSumInfo& cumSumInfo) {
  const detail::LibraryCall in_library("CumSum");
  detail::cumsum<config>(dstTensor, lastRowTensor, srcTensor, sharedTmpBuffer, cumSumInfo);
}
template <typename T, const CumSumConfig& config = defaultCumSumConfig>
OPKIT_INLINE void CumSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& lastRowTensor,
                         const LocalTensor<T>& srcTensor, const CumSumInfo& cumSumInfo) {
  const detail::LibraryCall in_library("CumSum");
  detail::cumsum<config>(dstTensor, lastRowTensor, srcTensor, detail::rest_of_ub(), cumSumInfo);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_CUMSUM_H_
