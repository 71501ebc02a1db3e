// AscendDequant: int32_t times one scale, or one scale per column. (Page "AscendDequant".)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_QUANT_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_QUANT_H_

#include "opkit/include/ascendc/advanced_rows.h"

namespace AscendC {

// m rows of pitch n, of which the first calCount columns are computed. If m is 1 and n is a
// multiple of calCount, the source is n / calCount rows of calCount columns.
struct DequantParams {
  uint32_t m = 0;
  uint32_t n = 0;
  uint32_t calCount = 0;
};

namespace detail {

// Rows of dst start at the next multiple of 32 bytes. f(row of floats, count) scales a row.
template <typename D, typename F>
OPKIT_INLINE void dequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                          const LocalTensor<uint8_t>& tmp, DequantParams p, F&& f) {
  static_assert(one_of<D, half, float, bfloat16_t>(),
                "AscendDequant writes half, float or bfloat16_t only");
  if (p.calCount == 0 || p.calCount > p.n)
    return refuse_shape("AscendDequant", "calCount must be from 1 to n", p.calCount);
  if (p.m == 1 && p.n % p.calCount == 0) p = {p.n / p.calCount, p.calCount, p.calCount};
  if (!is_whole_row<int32_t>("AscendDequant", p.n)) return;
  const uint32_t pitch = align_to(p.n, block_lanes<D>());
  Scratch scratch("AscendDequant", tmp);
  const LocalTensor<float> row = scratch.take<float>(p.calCount);
  for (uint32_t i = 0; i < p.m; ++i) {
    const LocalTensor<float> y = result_of(dst[i * pitch], row);
    Cast(y, src[i * p.n], RoundMode::CAST_RINT, p.calCount);
    f(y, static_cast<int32_t>(p.calCount));
    if constexpr (!std::is_same<D, float>::value)
      Cast(dst[i * pitch], y, RoundMode::CAST_RINT, p.calCount);
  }
}

}  // namespace detail

#define OPKIT_DEQUANT(buffer, memory)                                                              \
  template <typename dstT, typename scaleT>                                                        \
  OPKIT_INLINE void AscendDequant(                                                                 \
      const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,                   \
      const LocalTensor<scaleT>& deqScale, buffer DequantParams params) {                          \
    static_assert(std::is_same<scaleT, float>::value,                                              \
                  "AscendDequant takes float scales here: Cast bfloat16_t scales to float first"); \
    detail::dequant(dstTensor, srcTensor, memory, params,                                          \
                    [&](const LocalTensor<float>& y, int32_t n) { Mul(y, y, deqScale, n); });      \
  }                                                                                                \
  template <typename dstT, typename scaleT,                                                        \
            typename = std::enable_if_t<std::is_same<scaleT, float>::value>>                       \
  OPKIT_INLINE void AscendDequant(const LocalTensor<dstT>& dstTensor,                              \
                                  const LocalTensor<int32_t>& srcTensor, const scaleT deqScale,    \
                                  buffer DequantParams params) {                                   \
    detail::dequant(dstTensor, srcTensor, memory, params,                                          \
                    [&](const LocalTensor<float>& y, int32_t n) { Muls(y, y, deqScale, n); });     \
  }
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
OPKIT_DEQUANT(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_DEQUANT(, detail::rest_of_ub())
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_DEQUANT

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_QUANT_H_
