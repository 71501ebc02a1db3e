// LayerNorm. (Page "LayerNorm".) Rows are computed in float, one after the other.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_H_

#include "kernel_tiling/kernel_tiling.h"
#include "opkit/include/ascendc/advanced_rows.h"

namespace AscendC {
namespace detail {

// One value of T from a block of equal float lanes; dst may start at any element.
template <typename T>
OPKIT_INLINE void store_one(const LocalTensor<T>& dst, const LocalTensor<float>& block,
                            const LocalTensor<float>& room) {
  if constexpr (std::is_same<T, float>::value) {
    reduce_iterations<ReduceType::MAX>(dst, block, 1, 1, 8);
  } else {
    const LocalTensor<T> narrow = room.template ReinterpretCast<T>();
    Cast(narrow, block, RoundMode::CAST_NONE, 8);
    reduce_iterations<ReduceType::MAX>(dst, narrow, 1, 1, 8);
  }
}

// Three rows of floats of temporary buffer: the values, the squares, and in the third a block and
// partial sums.
template <typename T>
OPKIT_INLINE void layer_norm(const LocalTensor<T>& out, const LocalTensor<T>& mean,
                             const LocalTensor<T>& variance, const LocalTensor<T>& x,
                             const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                             const LocalTensor<uint8_t>& tmp, float epsilon,
                             const LayerNormTiling& tiling) {
  static_assert(is_real<T>(),
                "LayerNorm exists for half and float only: Cast other types to float first");
  const uint32_t pitch = tiling.hLength, length = tiling.originalHLength;
  if (!is_whole_row<T>("LayerNorm", pitch)) return;
  if (length == 0 || length > pitch)
    return refuse_shape("LayerNorm", "originalHLength must be from 1 to hLength", length);
  Scratch scratch("LayerNorm", tmp);
  const LocalTensor<float> a = scratch.take<float>(pitch), b = scratch.take<float>(pitch);
  const LocalTensor<float> block = scratch.take<float>(8);
  const LocalTensor<float> work = scratch.take<float>(fold_room<float>(length));
  const auto n = static_cast<int32_t>(length);
  const float share = 1.0f / static_cast<float>(length);
  for (uint32_t i = 0; i < tiling.bLength * tiling.sLength; ++i) {
    const LocalTensor<float> row = as_floats(x[i * pitch], a, length);
    reduce_to_block<ReduceType::SUM>(block, row, work, length);
    Muls(block, block, share, 8);
    with_block(OPK_V_SUB, a, row, block, length);
    store_one(mean[i], block, b);
    Mul(b, a, a, n);
    reduce_to_block<ReduceType::SUM>(block, b, work, length);
    Muls(block, block, share, 8);
    store_one(variance[i], block, b);
    Adds(block, block, epsilon, 8);
    Sqrt(block, block, 8);
    with_block(OPK_V_DIV, a, a, block, length);
    Mul(a, a, as_floats(gamma, b, length), n);
    const LocalTensor<float> y = result_of(out[i * pitch], a);
    Add(y, a, as_floats(beta, b, length), n);
    finish_result(out[i * pitch], y, length);
  }
}

}  // namespace detail

template <typename T, bool isReuseSource = false>
OPKIT_INLINE void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                            const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,
                            const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon,
                            const LayerNormTiling& tiling) {
  detail::layer_norm(output, outputMean, outputVariance, inputX, gamma, beta, sharedTmpBuffer,
                     static_cast<float>(epsilon), tiling);
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                            const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,
                            const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                            const T epsilon, const LayerNormTiling& tiling) {
  detail::layer_norm(output, outputMean, outputVariance, inputX, gamma, beta, detail::rest_of_ub(),
                     static_cast<float>(epsilon), tiling);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_H_
