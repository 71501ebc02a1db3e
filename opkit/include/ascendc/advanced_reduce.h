// Sum and Mean of rows. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_REDUCE_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_REDUCE_H_

#include "opkit/include/ascendc/advanced_rows.h"

namespace AscendC {

// outter rows of pitch inner (a multiple of 32 bytes), of which the first n elements count.
struct SumParams {
  uint32_t outter = 1;
  uint32_t inner = 0;
  uint32_t n = 0;
};
struct MeanParams {
  uint32_t outter = 1;
  uint32_t inner = 0;
  uint32_t n = 0;
};

namespace detail {

template <typename Params, typename T>
OPKIT_INLINE bool are_rows(const char* name, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LocalTensor<uint8_t>& tmp, const Params& p) {
  if (!is_whole_row<T>(name, p.inner)) return false;
  if (__builtin_expect(p.n == 0 || p.n > p.inner, 0)) {
    refuse_shape(name, "n must be from 1 to inner", p.n);
    return false;
  }
  return !excludes_any(name, tmp, extent(dst, p.outter), extent(src, p.outter * p.inner));
}

// False: it is refused.
template <typename T, typename Params>
OPKIT_INLINE bool sum_rows(const char* name, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LocalTensor<uint8_t>& tmp, const Params& p) {
  static_assert(is_real<T>(), "Sum and Mean exist for half and float only: Cast to float first");
  if (!are_rows(name, dst, src, tmp, p)) return false;
  Scratch scratch(name, tmp);
  const LocalTensor<T> work = scratch.take<T>(fold_room<T>(p.n));
  for (uint32_t i = 0; i < p.outter; ++i)
    reduce_to_one<ReduceType::SUM>(dst[i], src[i * p.inner], work, p.n);
  return true;
}

template <typename T, typename Accumulator>
OPKIT_INLINE void mean_rows(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                            const LocalTensor<uint8_t>& tmp, const MeanParams& p) {
  if constexpr (std::is_same<T, Accumulator>::value) {
    if (!sum_rows("Mean", dst, src, tmp, p)) return;
    Muls(dst, dst, static_cast<T>(1.0f / static_cast<float>(p.n)), static_cast<int32_t>(p.outter));
  } else {
    static_assert(std::is_same<T, half>::value && std::is_same<Accumulator, float>::value,
                  "Mean: accType is T, or float for half");
    if (!are_rows("Mean", dst, src, tmp, p)) return;
    Scratch scratch("Mean", tmp);
    const LocalTensor<float> row = scratch.take<float>(p.n), sum = scratch.take<float>(8);
    const LocalTensor<float> work = scratch.take<float>(fold_room<float>(p.n));
    for (uint32_t i = 0; i < p.outter; ++i) {
      Cast(row, src[i * p.inner], RoundMode::CAST_NONE, p.n);
      reduce_to_block<ReduceType::SUM>(sum, row, work, p.n);
      Muls(sum, sum, 1.0f / static_cast<float>(p.n), 8);
      const LocalTensor<half> narrow = row.ReinterpretCast<half>();
      Cast(narrow, sum, RoundMode::CAST_NONE, 8u);
      reduce_iterations<ReduceType::MAX>(dst[i], narrow, 1, 1, 8);
    }
  }
}

}  // namespace detail

template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
OPKIT_INLINE void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const LocalTensor<uint8_t>& sharedTmpBuffer, const SumParams& sumParams) {
  const detail::LibraryCall in_library("Sum");
  detail::sum_rows("Sum", dstTensor, srcTensor, sharedTmpBuffer, sumParams);
}
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
OPKIT_INLINE void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                      const SumParams& sumParams) {
  const detail::LibraryCall in_library("Sum");
  detail::sum_rows("Sum", dstTensor, srcTensor, detail::rest_of_ub(), sumParams);
}
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
OPKIT_INLINE void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                       const LocalTensor<uint8_t>& sharedTmpBuffer, const MeanParams& meanParams) {
  const detail::LibraryCall in_library("Mean");
  detail::mean_rows<T, accType>(dstTensor, srcTensor, sharedTmpBuffer, meanParams);
}
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
OPKIT_INLINE void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                       const MeanParams& meanParams) {
  const detail::LibraryCall in_library("Mean");
  detail::mean_rows<T, accType>(dstTensor, srcTensor, detail::rest_of_ub(), meanParams);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_REDUCE_H_
