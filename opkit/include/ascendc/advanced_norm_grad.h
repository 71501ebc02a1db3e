// LayerNormGrad and LayerNormGradBeta. (Pages of those names.) Rows are computed in float, one
// after the other; the outputs of a row are written after its inputs were read, so they may be the
// same tensors.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_GRAD_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_GRAD_H_

#include "opkit/include/ascendc/advanced_norm.h"

namespace AscendC {

struct LayerNormGradShapeInfo {
  DataFormat dataFormat = DataFormat::ND;
};

namespace detail {

// Rooms of LayerNormGrad: the gradient of the normalised row, the centred row, and blocks.
struct NormGradRoom {
  LocalTensor<float> x1, x2, t, work, rstd, variance, mean, block;

  OPKIT_INLINE NormGradRoom(Scratch& scratch, const NormShape& s) {
    x1 = scratch.take<float>(s.pitch);
    x2 = scratch.take<float>(s.pitch);
    t = scratch.take<float>(s.pitch);
    work = scratch.take<float>(fold_room<float>(s.length));
    rstd = scratch.take<float>(8);
    variance = scratch.take<float>(8);
    mean = scratch.take<float>(8);
    block = scratch.take<float>(8);
  }
};

// The gradients of variance and mean, from x1, x2 and 1 / deviation.
OPKIT_INLINE void moments_gradient(const NormGradRoom& r, const NormShape& s) {
  const auto n = static_cast<int32_t>(s.length);
  Mul(r.t, r.x1, r.x2, n);
  reduce_to_block<ReduceType::SUM>(r.variance, r.t, r.work, s.length);
  Muls(r.variance, r.variance, -0.5f, 8);
  for (int power = 0; power < 3; ++power) Mul(r.variance, r.variance, r.rstd, 8);
  reduce_to_block<ReduceType::SUM>(r.mean, r.x1, r.work, s.length);
  Muls(r.mean, r.mean, -1.0f, 8);
  Mul(r.mean, r.mean, r.rstd, 8);
  reduce_to_block<ReduceType::SUM>(r.block, r.x2, r.work, s.length);
  Muls(r.block, r.block, -2.0f * s.share, 8);
  Mul(r.block, r.block, r.variance, 8);
  Add(r.mean, r.mean, r.block, 8);
}

template <typename T>
OPKIT_INLINE void layer_norm_grad(const LocalTensor<T>& pd_x, const LocalTensor<T>& for_gamma,
                                  const LocalTensor<T>& dy, const LocalTensor<T>& x,
                                  const LocalTensor<T>& variance, const LocalTensor<T>& mean,
                                  const LocalTensor<T>& gamma, const LocalTensor<uint8_t>& tmp,
                                  float epsilon, const LayerNormGradTiling& tiling) {
  OPKIT_NORM_TYPES("LayerNormGrad");
  NormShape s;
  if (!norm_shape<T>("LayerNormGrad", s, tiling.bLength * tiling.sLength, tiling.hLength,
                     tiling.originalHLength))
    return;
  Scratch scratch("LayerNormGrad", tmp);
  const NormGradRoom r(scratch, s);
  const LaneSpreader spread(scratch);
  const auto n = static_cast<int32_t>(s.length);
  for (uint32_t i = 0; i < s.rows; ++i) {
    const uint32_t at = i * s.pitch;
    Mul(r.x1, as_floats(dy[at], r.x1, s.length), as_floats(gamma, r.t, s.length), n);
    spread(r.block, mean, i);
    with_block(OPK_V_SUB, r.x2, as_floats(x[at], r.x2, s.length), r.block, s.length);
    spread(r.block, variance, i);
    deviation(r.block, epsilon);
    Duplicate(r.rstd, 1.0f, 8);
    Div(r.rstd, r.rstd, r.block, 8);
    moments_gradient(r, s);
    Muls(r.variance, r.variance, 2.0f * s.share, 8);
    Muls(r.mean, r.mean, s.share, 8);
    with_block(OPK_V_MUL, r.x1, r.x1, r.rstd, s.length);
    with_block(OPK_V_MUL, r.t, r.x2, r.variance, s.length);
    Add(r.x1, r.x1, r.t, n);
    const LocalTensor<float> y = result_of(pd_x[at], r.x1);
    with_block(OPK_V_ADD, y, r.x1, r.mean, s.length);
    finish_result(pd_x[at], y, s.length);
    const LocalTensor<float> g = result_of(for_gamma[at], r.x2);
    with_block(OPK_V_MUL, g, r.x2, r.rstd, s.length);
    finish_result(for_gamma[at], g, s.length);
  }
}

// Sums over all rows: of dy, and of dy * for_gamma.
template <typename T>
OPKIT_INLINE void layer_norm_grad_beta(const LocalTensor<T>& pd_gamma,
                                       const LocalTensor<T>& pd_beta,
                                       const LocalTensor<T>& for_gamma, const LocalTensor<T>& dy,
                                       const LocalTensor<uint8_t>& tmp,
                                       const LayerNormGradBetaTiling& tiling) {
  OPKIT_NORM_TYPES("LayerNormGradBeta");
  NormShape s;
  if (!norm_shape<T>("LayerNormGradBeta", s, tiling.bLength * tiling.sLength, tiling.hLength,
                     tiling.originalHLength))
    return;
  Scratch scratch("LayerNormGradBeta", tmp);
  const auto n = static_cast<int32_t>(s.length);
  const auto room = [&] { return scratch.take<float>(s.pitch); };
  const LocalTensor<float> gamma = room(), beta = room(), a = room(), b = room();
  Duplicate(gamma, 0.0f, n);
  Duplicate(beta, 0.0f, n);
  for (uint32_t i = 0; i < s.rows; ++i) {
    const LocalTensor<float> g = as_floats(dy[i * s.pitch], a, s.length);
    Add(beta, beta, g, n);
    Mul(b, g, as_floats(for_gamma[i * s.pitch], b, s.length), n);
    Add(gamma, gamma, b, n);
  }
  if constexpr (std::is_same<T, float>::value) {
    Muls(pd_gamma, gamma, 1.0f, n);
    Muls(pd_beta, beta, 1.0f, n);
  } else {
    finish_result(pd_gamma, gamma, s.length);
    finish_result(pd_beta, beta, s.length);
  }
}

}  // namespace detail

#define OPKIT_NORM_GRADS(grad_buffer, beta_buffer, memory)                                        \
  template <typename T, bool isReuseSource = false>                                               \
  OPKIT_INLINE void LayerNormGrad(                                                                \
      const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma,                         \
      const LocalTensor<T>& inputDy, const LocalTensor<T>& inputX,                                \
      const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,                       \
      const LocalTensor<T>& inputGamma, grad_buffer T epsilon, const LayerNormGradTiling& tiling, \
      const LayerNormGradShapeInfo& shapeInfo = {}) {                                             \
    const detail::LibraryCall in_library("LayerNormGrad");                                        \
    (void)shapeInfo;                                                                              \
    detail::layer_norm_grad(outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean,    \
                            inputGamma, memory, static_cast<float>(epsilon), tiling);             \
  }                                                                                               \
  template <typename T, bool isReuseSource = false>                                               \
  OPKIT_INLINE void LayerNormGradBeta(                                                            \
      const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta,                    \
      const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,                           \
      beta_buffer const LayerNormGradBetaTiling& tiling) {                                        \
    const detail::LibraryCall in_library("LayerNormGradBeta");                                    \
    detail::layer_norm_grad_beta(outputPdGamma, outputPdBeta, resForGamma, inputDy, memory,       \
                                 tiling);                                                         \
  }
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
OPKIT_NORM_GRADS(OPKIT_SHARED_BUFFER, OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_NORM_GRADS(, , detail::rest_of_ub())
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_NORM_GRADS
#undef OPKIT_NORM_TYPES

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_GRAD_H_
