// SoftMax, SimpleSoftMax, LogSoftMax, SoftmaxFlashV2, SoftmaxGrad, SoftmaxGradFront,
// AdjustSoftMaxRes. (Pages of those names.) Rows are computed in float, one after the other; a row
// needs its floats and two blocks of temporary buffer. Statistics have one block per row, all lanes
// equal.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_H_

#include "kernel_tiling/kernel_tiling.h"
#include "opkit/include/ascendc/advanced_rows.h"
#include "opkit/include/ascendc/sync.h"

namespace AscendC {

// Rows and columns as they lie in memory, and without padding; 0 means: as the tiling says.
struct SoftMaxShapeInfo {
  uint32_t srcM = 0;
  uint32_t srcK = 0;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
};
enum class SoftmaxMode : uint8_t { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
struct SoftmaxConfig {
  bool isCheckTiling = true;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
  SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
inline constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG{};

namespace detail {

// Rows, pitch of a row, and the elements of a row that count.
struct SoftmaxRows {
  uint32_t rows, pitch, length;
};

template <typename T, typename Tiling>
OPKIT_INLINE SoftmaxRows softmax_rows(const char* name, const Tiling& tiling,
                                      const SoftMaxShapeInfo& info) {
  const uint32_t m = info.srcM ? info.srcM : tiling.srcM, k = info.srcK ? info.srcK : tiling.srcK;
  SoftmaxRows r{info.oriSrcM ? info.oriSrcM : m, k, info.oriSrcK ? info.oriSrcK : k};
  if (!is_whole_row<T>(name, k)) r.rows = 0;
  if (r.length > k || r.rows > m) {
    refuse_shape(name, "oriSrcM and oriSrcK must not be above srcM and srcK",
                 r.length > k ? r.length : r.rows);
    r.rows = 0;
  }
  return r;
}

struct SoftmaxRoom {
  LocalTensor<float> a, b, row;  // two blocks and a row

  OPKIT_INLINE SoftmaxRoom(const char* name, const LocalTensor<uint8_t>& tmp, uint32_t pitch) {
    Scratch scratch(name, tmp);
    a = scratch.take<float>(8);
    b = scratch.take<float>(8);
    row = scratch.take<float>(pitch);
  }
};

// The maximum of a row in every lane of room.a; overwrites room.row, and room.b for half.
template <typename T>
OPKIT_INLINE void row_maximum(const SoftmaxRoom& room, const LocalTensor<T>& x, uint32_t n) {
  if constexpr (std::is_same<T, float>::value) {
    reduce_to_block<ReduceType::MAX>(room.a, x, room.row, n);
  } else {
    const LocalTensor<half> block = room.b.template ReinterpretCast<half>();
    reduce_to_block<ReduceType::MAX>(block, x, room.row.template ReinterpretCast<half>(), n);
    Cast(room.a, block, RoundMode::CAST_NONE, 8);
  }
}

// y = exp(x - max); y is dst, or the row of the room for half.
template <typename T>
OPKIT_INLINE LocalTensor<float> exponentials(const SoftmaxRoom& room, const LocalTensor<T>& dst,
                                             const LocalTensor<T>& x, uint32_t n) {
  const LocalTensor<float> y = result_of(dst, room.row);
  with_block(OPK_V_SUB, y, as_floats(x, room.row, n), room.a, n);
  Exp(y, y, static_cast<int32_t>(n));
  return y;
}
// Where a sum of y may keep its partial sums: whichever of dst and the room's row y is not.
template <typename T>
OPKIT_INLINE LocalTensor<float> partial_sums(const SoftmaxRoom& room, const LocalTensor<T>& dst) {
  if constexpr (std::is_same<T, float>::value) {
    (void)dst;
    return room.row;
  } else {
    return dst.template ReinterpretCast<float>();
  }
}

template <typename T, typename S>
OPKIT_INLINE void softmax(const LocalTensor<T>& dst, const LocalTensor<S>* sums,
                          const LocalTensor<S>* maxima, const LocalTensor<T>& src,
                          const LocalTensor<uint8_t>& tmp, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  const SoftmaxRoom room("SoftMax", tmp, r.pitch);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> out = dst[i * r.pitch], x = src[i * r.pitch];
    const uint32_t at = i * block_lanes<S>();
    row_maximum(room, x, r.length);
    if (maxima) store_block((*maxima)[at], room.a, room.row);
    const LocalTensor<float> y = exponentials(room, out, x, r.length);
    reduce_to_block<ReduceType::SUM>(room.b, y, partial_sums(room, out), r.length);
    with_block(OPK_V_DIV, y, y, room.b, r.length);
    finish_result(out, y, r.length);
    if (sums) store_block((*sums)[at], room.b, room.row);
  }
}

template <bool isUpdate, typename T, typename S>
OPKIT_INLINE void softmax_flash(const LocalTensor<T>& dst, const LocalTensor<S>& exp_sum,
                                const LocalTensor<S>& maxima, const LocalTensor<T>& src,
                                const LocalTensor<T>& exp_max, const LocalTensor<S>& in_exp_sum,
                                const LocalTensor<S>& in_max, const LocalTensor<uint8_t>& tmp,
                                const SoftmaxRows& r) {
  if (r.rows == 0) return;
  const SoftmaxRoom room("SoftmaxFlashV2", tmp, r.pitch);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> out = dst[i * r.pitch], x = src[i * r.pitch];
    const uint32_t at = i * block_lanes<S>();
    row_maximum(room, x, r.length);
    if constexpr (isUpdate) {
      const LocalTensor<float> before = as_floats(in_max[at], room.b, 8);
      Max(room.a, room.a, before, 8);
      Sub(room.b, before, room.a, 8);
      Exp(room.b, room.b, 8);
      store_block(exp_max[i * block_lanes<T>()], room.b, room.row);
    }
    store_block(maxima[at], room.a, room.row);
    const LocalTensor<float> y = exponentials(room, out, x, r.length);
    reduce_to_block<ReduceType::SUM>(room.a, y, partial_sums(room, out), r.length);
    finish_result(out, y, r.length);
    if constexpr (isUpdate) {
      Mul(room.b, room.b, as_floats(in_exp_sum[at], room.row, 8), 8);
      Add(room.a, room.a, room.b, 8);
    }
    store_block(exp_sum[at], room.a, room.row);
  }
}

template <typename T, typename S>
OPKIT_INLINE void simple_softmax(const LocalTensor<T>& dst, const LocalTensor<S>& sums,
                                 const LocalTensor<S>& maxima, const LocalTensor<T>& src,
                                 const LocalTensor<uint8_t>& tmp, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  const SoftmaxRoom room("SimpleSoftMax", tmp, r.pitch);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> out = dst[i * r.pitch];
    SoftmaxRoom now = room;
    now.a = as_floats(maxima[i * block_lanes<S>()], room.a, 8);
    const LocalTensor<float> y = exponentials(now, out, src[i * r.pitch], r.length);
    with_block(OPK_V_DIV, y, y, as_floats(sums[i * block_lanes<S>()], room.b, 8), r.length);
    finish_result(out, y, r.length);
  }
}

// The exponentials are summed before dst is written: dst holds partial sums meanwhile.
template <typename T, typename S>
OPKIT_INLINE void log_softmax(const LocalTensor<T>& dst, const LocalTensor<S>& sums,
                              const LocalTensor<S>& maxima, const LocalTensor<T>& src,
                              const LocalTensor<uint8_t>& tmp, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  if (overlap(dst, src, r.rows * r.pitch)) return refuse_overlap("LogSoftMax");
  const SoftmaxRoom room("LogSoftMax", tmp, r.pitch);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> out = dst[i * r.pitch], x = src[i * r.pitch];
    const uint32_t at = i * block_lanes<S>();
    row_maximum(room, x, r.length);
    store_block(maxima[at], room.a, room.row);
    reduce_to_block<ReduceType::SUM>(room.b, exponentials(room, out, x, r.length),
                                     partial_sums(room, out), r.length);
    store_block(sums[at], room.b, room.row);
    Ln(room.b, room.b, 8);
    const LocalTensor<float> y = result_of(out, room.row);
    with_block(OPK_V_SUB, y, as_floats(x, room.row, r.length), room.a, r.length);
    with_block(OPK_V_SUB, y, y, room.b, r.length);
    finish_result(out, y, r.length);
  }
}

// front: the row sum of grad * src, one block per row. Otherwise (grad - that) * src.
template <typename T>
OPKIT_INLINE void softmax_grad(const LocalTensor<T>& dst, const LocalTensor<T>& grad,
                               const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp,
                               bool front, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  Scratch scratch("SoftmaxGrad", tmp);
  const LocalTensor<float> block = scratch.take<float>(8);
  const LocalTensor<float> g_room = scratch.take<float>(r.pitch);
  const LocalTensor<float> x_room = scratch.take<float>(r.pitch);
  const LocalTensor<float> product = scratch.take<float>(r.pitch);
  const LocalTensor<float> work = scratch.take<float>(fold_room<float>(r.length));
  const auto n = static_cast<int32_t>(r.length);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<float> g = as_floats(grad[i * r.pitch], g_room, r.length);
    const LocalTensor<float> x = as_floats(src[i * r.pitch], x_room, r.length);
    Mul(product, g, x, n);
    reduce_to_block<ReduceType::SUM>(block, product, work, r.length);
    if (front) {
      store_block(dst[i * block_lanes<T>()], block, product);
      continue;
    }
    const LocalTensor<float> y = result_of(dst[i * r.pitch], product);
    with_block(OPK_V_SUB, product, g, block, r.length);
    Mul(y, product, x, n);
    finish_result(dst[i * r.pitch], y, r.length);
  }
}

template <const SoftmaxConfig& config, bool isDataFormatNZ>
constexpr void check_softmax() {
  static_assert(config.mode == SoftmaxMode::SOFTMAX_NORMAL,
                "SOFTMAX_OUTPUT_WITHOUT_BRC is not emulated: use SOFTMAX_NORMAL");
  static_assert(!isDataFormatNZ, "softmax of NZ data is not emulated: use ND data");
}

}  // namespace detail

#define OPKIT_SOFTMAX_HEAD                                                                  \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false,              \
            bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG> \
  OPKIT_INLINE void
#define OPKIT_ROWS(name) (detail::softmax_rows<T>(name, tiling, softmaxShapeInfo))
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
#define OPKIT_SOFTMAX(buffer, memory, E, S)                                                    \
  OPKIT_SOFTMAX_HEAD SoftMax(const LocalTensor<E>& dstTensor, const LocalTensor<S>& sumTensor, \
                             const LocalTensor<S>& maxTensor, const LocalTensor<E>& srcTensor, \
                             buffer const SoftMaxTiling& tiling,                               \
                             const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                  \
    detail::check_softmax<config, isDataFormatNZ>();                                           \
    detail::softmax<E, S>(dstTensor, &sumTensor, &maxTensor, srcTensor, memory,                \
                          OPKIT_ROWS("SoftMax"));                                              \
  }                                                                                            \
  OPKIT_SOFTMAX_HEAD SimpleSoftMax(                                                            \
      const LocalTensor<E>& dstTensor, const LocalTensor<S>& inSumTensor,                      \
      const LocalTensor<S>& inMaxTensor, const LocalTensor<E>& srcTensor,                      \
      buffer const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {     \
    detail::check_softmax<config, isDataFormatNZ>();                                           \
    detail::simple_softmax<E, S>(dstTensor, inSumTensor, inMaxTensor, srcTensor, memory,       \
                                 OPKIT_ROWS("SimpleSoftMax"));                                 \
  }                                                                                            \
  template <typename T, bool isUpdate = false, bool isReuseSource = false,                     \
            bool isBasicBlock = false, bool isDataFormatNZ = false,                            \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                                 \
  OPKIT_INLINE void SoftmaxFlashV2(                                                            \
      const LocalTensor<E>& dstTensor, const LocalTensor<S>& expSumTensor,                     \
      const LocalTensor<S>& maxTensor, const LocalTensor<E>& srcTensor,                        \
      const LocalTensor<E>& expMaxTensor, const LocalTensor<S>& inExpSumTensor,                \
      const LocalTensor<S>& inMaxTensor, buffer const SoftMaxTiling& tiling,                   \
      const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                                         \
    detail::check_softmax<config, isDataFormatNZ>();                                           \
    detail::softmax_flash<isUpdate, E, S>(dstTensor, expSumTensor, maxTensor, srcTensor,       \
                                          expMaxTensor, inExpSumTensor, inMaxTensor, memory,   \
                                          OPKIT_ROWS("SoftmaxFlashV2"));                       \
  }
// Statistics in the element type, and float statistics of half.
OPKIT_SOFTMAX(OPKIT_SHARED_BUFFER, sharedTmpBuffer, T, T)
OPKIT_SOFTMAX(, detail::rest_of_ub(), T, T)
OPKIT_SOFTMAX(OPKIT_SHARED_BUFFER, sharedTmpBuffer, half, float)
OPKIT_SOFTMAX(, detail::rest_of_ub(), half, float)
#undef OPKIT_SOFTMAX

#define OPKIT_SOFTMAX_ALONE(buffer, memory)                                                        \
  OPKIT_SOFTMAX_HEAD SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,     \
                             buffer const SoftMaxTiling& tiling,                                   \
                             const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                      \
    detail::check_softmax<config, isDataFormatNZ>();                                               \
    detail::softmax<T, T>(dstTensor, nullptr, nullptr, srcTensor, memory, OPKIT_ROWS("SoftMax"));  \
  }                                                                                                \
  template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>                   \
  OPKIT_INLINE void LogSoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& sumTensor,   \
                               const LocalTensor<T>& maxTensor, const LocalTensor<T>& srcTensor,   \
                               buffer const LogSoftMaxTiling& tiling,                              \
                               const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                    \
    detail::check_softmax<SOFTMAX_DEFAULT_CFG, isDataFormatNZ>();                                  \
    detail::log_softmax<T, T>(dstTensor, sumTensor, maxTensor, srcTensor, memory,                  \
                              OPKIT_ROWS("LogSoftMax"));                                           \
  }                                                                                                \
  template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>                   \
  OPKIT_INLINE void SoftmaxGrad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor, \
                                const LocalTensor<T>& srcTensor,                                   \
                                buffer const SoftMaxTiling& tiling, bool isFront = false,          \
                                const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                   \
    detail::check_softmax<SOFTMAX_DEFAULT_CFG, isDataFormatNZ>();                                  \
    detail::softmax_grad<T>(dstTensor, gradTensor, srcTensor, memory, isFront,                     \
                            OPKIT_ROWS("SoftmaxGrad"));                                            \
  }                                                                                                \
  template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>                    \
  OPKIT_INLINE void SoftmaxGradFront(                                                              \
      const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,                           \
      const LocalTensor<T>& srcTensor, buffer const SoftMaxTiling& tiling,                         \
      const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                                             \
    detail::check_softmax<SOFTMAX_DEFAULT_CFG, isDataFormatNZ>();                                  \
    detail::softmax_grad<T>(dstTensor, gradTensor, srcTensor, memory, true,                        \
                            OPKIT_ROWS("SoftmaxGradFront"));                                       \
  }
OPKIT_SOFTMAX_ALONE(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_SOFTMAX_ALONE(, detail::rest_of_ub())
#undef OPKIT_SOFTMAX_ALONE
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_ROWS
#undef OPKIT_SOFTMAX_HEAD

// Rows whose maximum has the bit pattern `from` are filled with `to`; true if there was one.
template <typename T1, typename T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
OPKIT_INLINE bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes,
                                   const LocalTensor<T2>& maxTensor, const uint32_t from,
                                   const T1 to, const SoftMaxShapeInfo& softmaxShapeInfo) {
  static_assert(!isDataFormatNZ && stepSizeMode == 0,
                "AdjustSoftMaxRes of NZ data or with a step is not emulated: use ND data");
  bool any = false;
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < softmaxShapeInfo.srcM; ++i) {
    if (detail::bits(maxTensor.GetValue(i * detail::block_lanes<T2>())) != from) continue;
    Duplicate(softMaxRes[i * softmaxShapeInfo.srcK], to,
              static_cast<int32_t>(softmaxShapeInfo.srcK));
    any = true;
  }
  return any;
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_H_
