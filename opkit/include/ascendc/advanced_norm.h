// LayerNorm in both forms, Normalize, RmsNorm and DeepNorm. (Pages of those names.) Rows are
// computed in float, one after the other, whatever the element type.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_H_

#include "kernel_tiling/kernel_tiling.h"
#include "opkit/include/ascendc/advanced_config.h"
#include "opkit/include/ascendc/advanced_rows.h"

namespace AscendC {

struct LayerNormConfig {
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
  bool isOutputRstd = true;
};
inline constexpr LayerNormConfig LNCFG_NORM{};
// Rows, the elements of a row that count, and the pitch of a row.
struct LayerNormPara {
  uint32_t aLength;
  uint32_t rLength;
  uint32_t rLengthWithPadding;
};

struct NormalizeConfig {
  ReducePattern reducePattern = ReducePattern::AR;
  int32_t aLength = -1;
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
};
inline constexpr NormalizeConfig NLCFG_NORM{};
struct NormalizePara {
  uint32_t aLength;
  uint32_t rLength;
  uint32_t rLengthWithPadding;
};

namespace detail {

// Rows of `pitch` elements, of which `length` count.
struct NormShape {
  uint32_t rows, pitch, length;
  float share;  // 1 / length
};

template <typename T>
OPKIT_INLINE bool norm_shape(const char* name, NormShape& s, uint32_t rows, uint32_t pitch,
                             uint32_t length) {
  s = {rows, pitch, length, 1.0f / static_cast<float>(length)};
  if (!is_whole_row<T>(name, pitch)) return false;
  if (__builtin_expect(length != 0 && length <= pitch, 1)) return true;
  refuse_shape(name, "the length of a row must be from 1 to its length with padding", length);
  return false;
}

// Two rows, a block, and what a sum needs; rooms of further rows follow from `scratch`.
struct NormRoom {
  LocalTensor<float> a, b, block, work;

  OPKIT_INLINE NormRoom(Scratch& scratch, const NormShape& s) {
    a = scratch.take<float>(s.pitch);
    b = scratch.take<float>(s.pitch);
    block = scratch.take<float>(8);
    work = scratch.take<float>(fold_room<float>(s.length));
  }
};

// a = row - its mean; the block holds the variance. The mean goes to `mean`.
template <typename M>
OPKIT_INLINE void center_row(const NormRoom& r, const LocalTensor<float>& row, const NormShape& s,
                             const LocalTensor<M>& mean) {
  reduce_to_block<ReduceType::SUM>(r.block, row, r.work, s.length);
  Muls(r.block, r.block, s.share, 8);
  with_block(OPK_V_SUB, r.a, row, r.block, s.length);
  store_one(mean, r.block, r.b);
  Mul(r.b, r.a, r.a, static_cast<int32_t>(s.length));
  reduce_to_block<ReduceType::SUM>(r.block, r.b, r.work, s.length);
  Muls(r.block, r.block, s.share, 8);
}
// The block: variance -> standard deviation.
OPKIT_INLINE void deviation(const LocalTensor<float>& block, float epsilon) {
  Adds(block, block, epsilon, 8);
  Sqrt(block, block, 8);
}
// The inverse of a block, to one element; overwrites the first two blocks of room.
OPKIT_INLINE void store_inverse(const LocalTensor<float>& dst, const LocalTensor<float>& block,
                                const LocalTensor<float>& room) {
  Duplicate(room, 1.0f, 8);
  Div(room, room, block, 8);
  store_one(dst, room, room);
}

// out = a / block * gamma + beta.
template <bool kGamma, bool kBeta, typename T, typename U>
OPKIT_INLINE void scale_row(const LocalTensor<T>& out, const NormRoom& r, const NormShape& s,
                            const LocalTensor<U>& gamma, const LocalTensor<U>& beta) {
  const auto n = static_cast<int32_t>(s.length);
  const LocalTensor<float> y = result_of(out, r.a);
  with_block(OPK_V_DIV, kGamma || kBeta ? r.a : y, r.a, r.block, s.length);
  if constexpr (kGamma) Mul(kBeta ? r.a : y, r.a, as_floats(gamma, r.b, s.length), n);
  if constexpr (kBeta) Add(y, r.a, as_floats(beta, r.b, s.length), n);
  finish_result(out, y, s.length);
}

#define OPKIT_NORM_TYPES(name) \
  static_assert(is_real<T>(),  \
                name " exists for half and float only: Cast other types to float first")

template <typename T>
OPKIT_INLINE void layer_norm(const LocalTensor<T>& out, const LocalTensor<T>& mean,
                             const LocalTensor<T>& variance, const LocalTensor<T>& x,
                             const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                             const LocalTensor<uint8_t>& tmp, float epsilon,
                             const LayerNormTiling& tiling) {
  OPKIT_NORM_TYPES("LayerNorm");
  NormShape s;
  if (!norm_shape<T>("LayerNorm", s, tiling.bLength * tiling.sLength, tiling.hLength,
                     tiling.originalHLength))
    return;
  // The page lets the output take the input's place, and nothing else.
  const Extent in = extent(x, s.rows * s.pitch), g = extent(gamma, s.pitch);
  const Extent b = extent(beta, s.pitch);
  if (excludes_overlap("LayerNorm", extent(out, s.rows * s.pitch), g, b) ||
      excludes_overlap("LayerNorm", extent(mean, s.rows), in, g, b) ||
      excludes_overlap("LayerNorm", extent(variance, s.rows), in, g, b))
    return;
  Scratch scratch("LayerNorm", tmp);
  const NormRoom room(scratch, s);
  for (uint32_t i = 0; i < s.rows; ++i) {
    center_row(room, as_floats(x[i * s.pitch], room.a, s.length), s, mean[i]);
    store_one(variance[i], room.block, room.b);
    deviation(room.block, epsilon);
    scale_row<true, true>(out[i * s.pitch], room, s, gamma, beta);
  }
}

template <const LayerNormConfig& config, typename U, typename T>
OPKIT_INLINE void layer_norm_rstd(const LocalTensor<T>& out, const LocalTensor<float>& mean,
                                  const LocalTensor<float>& rstd, const LocalTensor<T>& x,
                                  const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
                                  float epsilon, const LocalTensor<uint8_t>& tmp,
                                  const LayerNormPara& para) {
  OPKIT_NORM_TYPES("LayerNorm");
  static_assert(sizeof(U) >= sizeof(T) && is_real<U>(),
                "LayerNorm: gamma and beta are half or float, and not narrower than the input");
  static_assert(!config.isOnlyOutput, "LayerNorm: isOnlyOutput must be false");
  static_assert(config.isOutputRstd,
                "LayerNorm writes the variance (isOutputRstd = false) on Ascend 950 only");
  NormShape s;
  if (!norm_shape<T>("LayerNorm", s, para.aLength, para.rLengthWithPadding, para.rLength)) return;
  const Extent in = extent(x, s.rows * s.pitch);
  const Extent g = extent(gamma, config.isNoGamma ? 0 : s.length);
  const Extent b = extent(beta, config.isNoBeta ? 0 : s.length);
  if (excludes_overlap("LayerNorm", extent(out, s.rows * s.pitch), in, g, b) ||
      excludes_overlap("LayerNorm", extent(mean, s.rows), in, g, b) ||
      excludes_overlap("LayerNorm", extent(rstd, s.rows), in, g, b))
    return;
  Scratch scratch("LayerNorm", tmp);
  const NormRoom room(scratch, s);
  for (uint32_t i = 0; i < s.rows; ++i) {
    center_row(room, as_floats(x[i * s.pitch], room.a, s.length), s, mean[i]);
    deviation(room.block, epsilon);
    store_inverse(rstd[i], room.block, room.b);
    scale_row<!config.isNoGamma, !config.isNoBeta>(out[i * s.pitch], room, s, gamma, beta);
  }
}

template <const NormalizeConfig& config, typename U, typename T>
OPKIT_INLINE void normalize(const LocalTensor<T>& out, const LocalTensor<float>& rstd,
                            const LocalTensor<float>& mean, const LocalTensor<float>& variance,
                            const LocalTensor<T>& x, const LocalTensor<U>& gamma,
                            const LocalTensor<U>& beta, const LocalTensor<uint8_t>& tmp,
                            float epsilon, const NormalizePara& para) {
  OPKIT_NORM_TYPES("Normalize");
  static_assert(sizeof(U) >= sizeof(T) && is_real<U>(),
                "Normalize: gamma and beta are half or float, and not narrower than the input");
  static_assert(config.reducePattern == ReducePattern::AR && !config.isOnlyOutput,
                "Normalize: reducePattern must be AR, and isOnlyOutput false");
  NormShape s;
  if (!norm_shape<T>("Normalize", s, para.aLength, para.rLengthWithPadding, para.rLength)) return;
  const Extent in = extent(x, s.rows * s.pitch), m = extent(mean, s.rows);
  const Extent v = extent(variance, s.rows), g = extent(gamma, config.isNoGamma ? 0 : s.length);
  const Extent b = extent(beta, config.isNoBeta ? 0 : s.length);
  if (excludes_overlap("Normalize", extent(out, s.rows * s.pitch), in, m, v, g, b) ||
      excludes_overlap("Normalize", extent(rstd, s.rows), in, m, v, g, b))
    return;
  Scratch scratch("Normalize", tmp);
  const NormRoom room(scratch, s);
  const LaneSpreader spread(scratch);
  for (uint32_t i = 0; i < s.rows; ++i) {
    const LocalTensor<float> row = as_floats(x[i * s.pitch], room.a, s.length);
    spread(room.block, mean, i);
    with_block(OPK_V_SUB, room.a, row, room.block, s.length);
    spread(room.block, variance, i);
    deviation(room.block, epsilon);
    store_inverse(rstd[i], room.block, room.b);
    scale_row<!config.isNoGamma, !config.isNoBeta>(out[i * s.pitch], room, s, gamma, beta);
  }
}

// The padding of a row takes no part in its mean, but results are written there, too.
template <typename T>
OPKIT_INLINE void rms_norm(const LocalTensor<T>& out, const LocalTensor<T>& x,
                           const LocalTensor<T>& gamma, const LocalTensor<uint8_t>& tmp,
                           float epsilon, const RmsNormTiling& tiling) {
  OPKIT_NORM_TYPES("RmsNorm");
  NormShape s;
  if (!norm_shape<T>("RmsNorm", s, tiling.bLength * tiling.sLength, tiling.hLength,
                     tiling.originalHLength))
    return;
  if (excludes_overlap("RmsNorm", extent(out, s.rows * s.pitch), extent(gamma, s.pitch))) return;
  Scratch scratch("RmsNorm", tmp);
  const NormRoom room(scratch, s);
  const auto n = static_cast<int32_t>(s.pitch);
  for (uint32_t i = 0; i < s.rows; ++i) {
    const LocalTensor<float> row = as_floats(x[i * s.pitch], room.a, s.pitch);
    Mul(room.b, row, row, static_cast<int32_t>(s.length));
    reduce_to_block<ReduceType::SUM>(room.block, room.b, room.work, s.length);
    Muls(room.block, room.block, s.share, 8);
    deviation(room.block, epsilon);
    with_block(OPK_V_DIV, room.a, row, room.block, s.pitch);
    const LocalTensor<float> y = result_of(out[i * s.pitch], room.a);
    Mul(y, room.a, as_floats(gamma, room.b, s.pitch), n);
    finish_result(out[i * s.pitch], y, s.pitch);
  }
}

// The page calls the third output rstdLocal, but the vendor's sample of DeepNorm checks the
// variance there; so the variance is written.
template <bool isReuseSrc, typename T>
OPKIT_INLINE void deep_norm(const LocalTensor<T>& out, const LocalTensor<T>& mean,
                            const LocalTensor<T>& variance, const LocalTensor<T>& x,
                            const LocalTensor<T>& gx, const LocalTensor<T>& beta,
                            const LocalTensor<T>& gamma, const LocalTensor<uint8_t>& tmp,
                            float alpha, float epsilon, const DeepNormTiling& tiling) {
  OPKIT_NORM_TYPES("DeepNorm");
  NormShape s;
  if (!norm_shape<T>("DeepNorm", s, tiling.bLength * tiling.sLength, tiling.hLength,
                     tiling.originalHLength))
    return;
  const Extent in = extent(x, s.rows * s.pitch);
  if (!isReuseSrc && excludes_overlap("DeepNorm", extent(out, s.rows * s.pitch), in)) return;
  Scratch scratch("DeepNorm", tmp);
  const NormRoom room(scratch, s);
  const auto n = static_cast<int32_t>(s.length);
  for (uint32_t i = 0; i < s.rows; ++i) {
    Muls(room.a, as_floats(x[i * s.pitch], room.a, s.length), alpha, n);
    Add(room.a, room.a, as_floats(gx[i * s.pitch], room.b, s.length), n);
    center_row(room, room.a, s, mean[i]);
    store_one(variance[i], room.block, room.b);
    deviation(room.block, epsilon);
    scale_row<true, true>(out[i * s.pitch], room, s, gamma, beta);
  }
}

}  // namespace detail

#define OPKIT_NORMS(buffer, memory)                                                                \
  template <typename T, bool isReuseSource = false>                                                \
  OPKIT_INLINE void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,      \
                              const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,  \
                              const LocalTensor<T>& gamma, const LocalTensor<T>& beta,             \
                              buffer const T epsilon, const LayerNormTiling& tiling) {             \
    const detail::LibraryCall in_library("LayerNorm");                                             \
    detail::layer_norm(output, outputMean, outputVariance, inputX, gamma, beta, memory,            \
                       static_cast<float>(epsilon), tiling);                                       \
  }                                                                                                \
  template <typename U, typename T, bool isReuseSource = false,                                    \
            const NormalizeConfig& config = NLCFG_NORM>                                            \
  OPKIT_INLINE void Normalize(                                                                     \
      const LocalTensor<T>& output, const LocalTensor<float>& outputRstd,                          \
      const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,                \
      const LocalTensor<T>& inputX, const LocalTensor<U>& gamma, const LocalTensor<U>& beta,       \
      buffer const float epsilon, const NormalizePara& para) {                                     \
    const detail::LibraryCall in_library("Normalize");                                             \
    detail::normalize<config>(output, outputRstd, inputMean, inputVariance, inputX, gamma, beta,   \
                              memory, epsilon, para);                                              \
  }                                                                                                \
  template <typename T, bool isBasicBlock = false>                                                 \
  OPKIT_INLINE void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,        \
                            const LocalTensor<T>& gammaLocal, buffer const T epsilon,              \
                            const RmsNormTiling& tiling) {                                         \
    const detail::LibraryCall in_library("RmsNorm");                                               \
    detail::rms_norm(dstLocal, srcLocal, gammaLocal, memory, static_cast<float>(epsilon), tiling); \
  }                                                                                                \
  template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>                        \
  OPKIT_INLINE void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal,      \
                             const LocalTensor<T>& rstdLocal, const LocalTensor<T>& srcLocal,      \
                             const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,       \
                             const LocalTensor<T>& gammaLocal, buffer const T alpha,               \
                             const T epsilon, const DeepNormTiling& tiling) {                      \
    const detail::LibraryCall in_library("DeepNorm");                                              \
    detail::deep_norm<isReuseSrc>(dstLocal, meanLocal, rstdLocal, srcLocal, gxLocal, betaLocal,    \
                                  gammaLocal, memory, static_cast<float>(alpha),                   \
                                  static_cast<float>(epsilon), tiling);                            \
  }
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
OPKIT_NORMS(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_NORMS(, detail::rest_of_ub())
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_NORMS

template <typename U, typename T, bool isReuseSource = false,
          const LayerNormConfig& config = LNCFG_NORM>
OPKIT_INLINE void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean,
                            const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX,
                            const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
                            const float epsilon, const LocalTensor<uint8_t>& sharedTmpBuffer,
                            const LayerNormPara& para, const LayerNormSeparateTiling& tiling) {
  const detail::LibraryCall in_library("LayerNorm");
  (void)tiling;
  detail::layer_norm_rstd<config>(output, outputMean, outputRstd, inputX, gamma, beta, epsilon,
                                  sharedTmpBuffer, para);
}
template <typename U, typename T, bool isReuseSource = false,
          const LayerNormConfig& config = LNCFG_NORM>
OPKIT_INLINE void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean,
                            const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX,
                            const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
                            const float epsilon, const LayerNormPara& para,
                            const LayerNormSeparateTiling& tiling) {
  const detail::LibraryCall in_library("LayerNorm");
  (void)tiling;
  detail::layer_norm_rstd<config>(output, outputMean, outputRstd, inputX, gamma, beta, epsilon,
                                  detail::rest_of_ub(), para);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_H_
