// BatchNorm and GroupNorm. (Pages of those names.) Both compute in float.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_BATCH_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_BATCH_H_

#include "opkit/include/ascendc/advanced_norm.h"

namespace AscendC {
namespace detail {

template <typename T>
OPKIT_INLINE void store_row(const LocalTensor<T>& dst, const LocalTensor<float>& row, uint32_t n) {
  if constexpr (std::is_same<T, float>::value) {
    Muls(dst, row, 1.0f, static_cast<int32_t>(n));
  } else {
    Cast(dst, row, RoundMode::CAST_NONE, n);
  }
}

// Statistics over the first axis, for a piece of columns at a time; gamma and beta belong to rows.
template <typename T>
OPKIT_INLINE void batch_norm(const LocalTensor<T>& out, const LocalTensor<T>& mean,
                             const LocalTensor<T>& variance, const LocalTensor<T>& x,
                             const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                             const LocalTensor<uint8_t>& tmp, float epsilon,
                             const BatchNormTiling& tiling) {
  static_assert(is_real<T>(), "BatchNorm exists for half and float only: Cast to float first");
  const uint32_t rows = tiling.originalBLength, width = tiling.meanVarSize;
  if (!is_whole_row<T>("BatchNorm", width)) return;
  if (rows == 0) return refuse_shape("BatchNorm", "the batch must not be 0", rows);
  const float share = 1.0f / static_cast<float>(rows);
  Scratch scratch("BatchNorm", tmp);
  const LaneSpreader spread(scratch);
  const LocalTensor<float> block = scratch.take<float>(8);
  const LocalTensor<uint8_t> rest = scratch.take<uint8_t>(scratch.left() / 32 * 32);
  in_pieces("BatchNorm", rest, 3, width, [&](uint32_t first, uint32_t count, const Floats& t) {
    const auto n = static_cast<int32_t>(count);
    const auto row = [&](uint32_t i) { return as_floats(x[i * width + first], t[2], count); };
    Duplicate(t[0], 0.0f, n);
    for (uint32_t i = 0; i < rows; ++i) Add(t[0], t[0], row(i), n);
    Muls(t[0], t[0], share, n);
    Duplicate(t[1], 0.0f, n);
    for (uint32_t i = 0; i < rows; ++i) {
      Sub(t[2], row(i), t[0], n);
      Mul(t[2], t[2], t[2], n);
      Add(t[1], t[1], t[2], n);
    }
    Muls(t[1], t[1], share, n);
    store_row(mean[first], t[0], count);
    store_row(variance[first], t[1], count);
    Adds(t[1], t[1], epsilon, n);
    Sqrt(t[1], t[1], n);
    for (uint32_t i = 0; i < rows; ++i) {
      const LocalTensor<float> y = result_of(out[i * width + first], t[2]);
      Sub(y, row(i), t[0], n);
      Div(y, y, t[1], n);
      spread(block, gamma, i);
      with_block(OPK_V_MUL, y, y, block, count);
      spread(block, beta, i);
      with_block(OPK_V_ADD, y, y, block, count);
      finish_result(out[i * width + first], y, count);
    }
  });
}

// Rooms of GroupNorm: a channel and blocks.
struct GroupRoom {
  LibraryCall call;
  LocalTensor<float> a, work, mean, deviation, block;
  LaneSpreader spread;

  OPKIT_INLINE GroupRoom(Scratch scratch, uint32_t length)
      : call("GroupNorm"),
        a(scratch.take<float>(length)),
        work(scratch.take<float>(fold_room<float>(length))),
        mean(scratch.take<float>(8)),
        deviation(scratch.take<float>(8)),
        block(scratch.take<float>(8)),
        spread(scratch) {}
};

// Mean and variance of `channels` rows of `length` elements, in blocks.
template <typename T>
OPKIT_INLINE void group_moments(const GroupRoom& r, const LocalTensor<T>& x, uint32_t channels,
                                uint32_t length) {
  const float share = 1.0f / static_cast<float>(channels * length);
  Duplicate(r.mean, 0.0f, 8);
  Duplicate(r.deviation, 0.0f, 8);
  for (uint32_t c = 0; c < channels; ++c) {
    reduce_to_block<ReduceType::SUM>(r.block, as_floats(x[c * length], r.a, length), r.work,
                                     length);
    Add(r.mean, r.mean, r.block, 8);
  }
  Muls(r.mean, r.mean, share, 8);
  for (uint32_t c = 0; c < channels; ++c) {
    with_block(OPK_V_SUB, r.a, as_floats(x[c * length], r.a, length), r.mean, length);
    Mul(r.a, r.a, r.a, static_cast<int32_t>(length));
    reduce_to_block<ReduceType::SUM>(r.block, r.a, r.work, length);
    Add(r.deviation, r.deviation, r.block, 8);
  }
  Muls(r.deviation, r.deviation, share, 8);
}

// Groups of d channels of hw elements; gamma and beta belong to channels.
template <typename T>
OPKIT_INLINE void group_norm(const LocalTensor<T>& out, const LocalTensor<T>& mean,
                             const LocalTensor<T>& variance, const LocalTensor<T>& x,
                             const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                             const LocalTensor<uint8_t>& tmp, float epsilon,
                             const GroupNormTiling& tiling) {
  static_assert(is_real<T>(), "GroupNorm exists for half and float only: Cast to float first");
  const uint32_t length = tiling.hw, channels = tiling.d;
  if (!is_whole_row<T>("GroupNorm", length)) return;
  if (channels == 0 || tiling.g * channels != tiling.c)
    return refuse_shape("GroupNorm", "the groups must divide the channels", tiling.g);
  const GroupRoom r(Scratch("GroupNorm", tmp), length);
  for (uint32_t group = 0; group < tiling.n * tiling.g; ++group) {
    const uint32_t begin = group * channels * length;
    group_moments(r, x[begin], channels, length);
    store_one(mean[group], r.mean, r.a);
    store_one(variance[group], r.deviation, r.a);
    deviation(r.deviation, epsilon);
    for (uint32_t c = 0; c < channels; ++c) {
      const uint32_t at = begin + c * length, channel = group % tiling.g * channels + c;
      const LocalTensor<float> y = result_of(out[at], r.a);
      with_block(OPK_V_SUB, y, as_floats(x[at], r.a, length), r.mean, length);
      with_block(OPK_V_DIV, y, y, r.deviation, length);
      r.spread(r.block, gamma, channel);
      with_block(OPK_V_MUL, y, y, r.block, length);
      r.spread(r.block, beta, channel);
      with_block(OPK_V_ADD, y, y, r.block, length);
      finish_result(out[at], y, length);
    }
  }
}

}  // namespace detail

#define OPKIT_BATCH_NORMS(buffer, memory)                                                         \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false>                    \
  OPKIT_INLINE void BatchNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,     \
                              const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX, \
                              const LocalTensor<T>& gamm, const LocalTensor<T>& beta,             \
                              buffer const T epsilon, const BatchNormTiling& tiling) {            \
    const detail::LibraryCall in_library("BatchNorm");                                            \
    detail::batch_norm(output, outputMean, outputVariance, inputX, gamm, beta, memory,            \
                       static_cast<float>(epsilon), tiling);                                      \
  }                                                                                               \
  template <typename T, bool isReuseSource = false>                                               \
  OPKIT_INLINE void GroupNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,     \
                              const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX, \
                              const LocalTensor<T>& gamma, const LocalTensor<T>& beta,            \
                              buffer const T epsilon, const GroupNormTiling& tiling) {            \
    const detail::LibraryCall in_library("GroupNorm");                                            \
    detail::group_norm(output, outputMean, outputVariance, inputX, gamma, beta, memory,           \
                       static_cast<float>(epsilon), tiling);                                      \
  }
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
OPKIT_BATCH_NORMS(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_BATCH_NORMS(, detail::rest_of_ub())
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_BATCH_NORMS

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_NORM_BATCH_H_
