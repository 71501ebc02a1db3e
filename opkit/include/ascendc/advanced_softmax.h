// SoftMax, SimpleSoftMax, LogSoftMax, SoftmaxFlash, SoftmaxFlashV2, SoftmaxGrad, SoftmaxGradFront,
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

template <typename T, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename Tiling>
OPKIT_INLINE SoftmaxRows softmax_rows(const char* name, const Tiling& tiling,
                                      const SoftMaxShapeInfo& info) {
  const uint32_t m = info.srcM ? info.srcM : tiling.srcM, k = info.srcK ? info.srcK : tiling.srcK;
  SoftmaxRows r{info.oriSrcM ? info.oriSrcM : m, k, info.oriSrcK ? info.oriSrcK : k};
  if (config.oriSrcM != 0 && config.oriSrcK != 0) {
    r.rows = config.oriSrcM;
    r.length = config.oriSrcK;
  }
  if (!is_whole_row<T>(name, k)) r.rows = 0;
  if (r.length > k || r.rows > m) {
    refuse_shape(name, "oriSrcM and oriSrcK must not be above srcM and srcK",
                 r.length > k ? r.length : r.rows);
    r.rows = 0;
  }
  return r;
}

struct SoftmaxRoom {
  LibraryCall call;
  LocalTensor<float> a, b, row;  // two blocks and a row
  LaneSpreader spread;

  OPKIT_INLINE SoftmaxRoom(const char* name, const LocalTensor<uint8_t>& tmp, uint32_t pitch)
      : SoftmaxRoom(name, Scratch(name, tmp), pitch) {}

 private:
  OPKIT_INLINE SoftmaxRoom(const char* name, Scratch scratch, uint32_t pitch)
      : call(name),
        a(scratch.take<float>(8)),
        b(scratch.take<float>(8)),
        row(scratch.take<float>(pitch)),
        spread(scratch) {}
};

// The statistic of row i: a block of equal lanes, or one element (SOFTMAX_OUTPUT_WITHOUT_BRC).
template <SoftmaxMode mode, typename S>
OPKIT_INLINE void store_statistic(const LocalTensor<S>& dst, uint32_t i,
                                  const LocalTensor<float>& block, const SoftmaxRoom& room) {
  if constexpr (mode == SoftmaxMode::SOFTMAX_NORMAL) {
    store_block(dst[i * block_lanes<S>()], block, room.row);
  } else {
    store_one(dst[i], block, room.row);
  }
}
template <SoftmaxMode mode, typename S>
OPKIT_INLINE LocalTensor<float> load_statistic(const LocalTensor<S>& src, uint32_t i,
                                               const LocalTensor<float>& block,
                                               const SoftmaxRoom& room) {
  if constexpr (mode == SoftmaxMode::SOFTMAX_NORMAL) {
    return as_floats(src[i * block_lanes<S>()], block, 8);
  } else {
    room.spread(block, src, i);
    return block;
  }
}

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

template <SoftmaxMode mode, typename T, typename S>
OPKIT_INLINE void softmax(const LocalTensor<T>& dst, const LocalTensor<S>* sums,
                          const LocalTensor<S>* maxima, const LocalTensor<T>& src,
                          const LocalTensor<uint8_t>& tmp, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  const SoftmaxRoom room("SoftMax", tmp, r.pitch);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> out = dst[i * r.pitch], x = src[i * r.pitch];
    row_maximum(room, x, r.length);
    if (maxima) store_statistic<mode>(*maxima, i, room.a, room);
    const LocalTensor<float> y = exponentials(room, out, x, r.length);
    reduce_to_block<ReduceType::SUM>(room.b, y, partial_sums(room, out), r.length);
    with_block(OPK_V_DIV, y, y, room.b, r.length);
    finish_result(out, y, r.length);
    if (sums) store_statistic<mode>(*sums, i, room.b, room);
  }
}

// row_max: where the maximum of the row alone goes, or null.
template <SoftmaxMode mode, bool isUpdate, typename T, typename S>
OPKIT_INLINE void softmax_flash(const LocalTensor<T>& dst, const LocalTensor<S>* row_max,
                                const LocalTensor<S>& exp_sum, const LocalTensor<S>& maxima,
                                const LocalTensor<T>& src, const LocalTensor<T>& exp_max,
                                const LocalTensor<S>& in_exp_sum, const LocalTensor<S>& in_max,
                                const LocalTensor<uint8_t>& tmp, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  const SoftmaxRoom room("SoftmaxFlashV2", tmp, r.pitch);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> out = dst[i * r.pitch], x = src[i * r.pitch];
    row_maximum(room, x, r.length);
    if constexpr (isUpdate) {
      if (row_max) store_statistic<mode>(*row_max, i, room.a, room);
      const LocalTensor<float> before = load_statistic<mode>(in_max, i, room.b, room);
      Max(room.a, room.a, before, 8);
      Sub(room.b, before, room.a, 8);
      Exp(room.b, room.b, 8);
      store_statistic<mode>(exp_max, i, room.b, room);
    }
    store_statistic<mode>(maxima, i, room.a, room);
    const LocalTensor<float> y = exponentials(room, out, x, r.length);
    reduce_to_block<ReduceType::SUM>(room.a, y, partial_sums(room, out), r.length);
    finish_result(out, y, r.length);
    if constexpr (isUpdate) {
      Mul(room.b, room.b, load_statistic<mode>(in_exp_sum, i, room.row, room), 8);
      Add(room.a, room.a, room.b, 8);
    }
    store_statistic<mode>(exp_sum, i, room.a, room);
  }
}

// The first version: results are divided by the sum, and exp_max is the share of the rows before.
template <typename T, typename S>
OPKIT_INLINE void softmax_flash_first(const LocalTensor<T>& dst, const LocalTensor<S>& sums,
                                      const LocalTensor<S>& maxima, const LocalTensor<T>& src,
                                      const LocalTensor<T>& exp_max, const LocalTensor<S>& in_sum,
                                      const LocalTensor<S>& in_max, const LocalTensor<uint8_t>& tmp,
                                      const SoftmaxRows& r) {
  constexpr SoftmaxMode kMode = SoftmaxMode::SOFTMAX_NORMAL;
  if (r.rows == 0) return;
  const SoftmaxRoom room("SoftmaxFlash", tmp, r.pitch);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> out = dst[i * r.pitch], x = src[i * r.pitch];
    row_maximum(room, x, r.length);
    const LocalTensor<float> before = load_statistic<kMode>(in_max, i, room.b, room);
    Max(room.a, room.a, before, 8);
    Sub(room.b, before, room.a, 8);
    Exp(room.b, room.b, 8);
    store_statistic<kMode>(maxima, i, room.a, room);
    const LocalTensor<float> y = exponentials(room, out, x, r.length);
    reduce_to_block<ReduceType::SUM>(room.a, y, partial_sums(room, out), r.length);
    if constexpr (std::is_same<T, float>::value) {
      Mul(room.b, room.b, load_statistic<kMode>(in_sum, i, room.row, room), 8);
    } else {
      const LocalTensor<float> spare = partial_sums(room, out);  // y lies in the room's row
      Mul(room.b, room.b, load_statistic<kMode>(in_sum, i, spare, room), 8);
    }
    Add(room.a, room.a, room.b, 8);
    with_block(OPK_V_DIV, y, y, room.a, r.length);
    finish_result(out, y, r.length);
    store_statistic<kMode>(sums, i, room.a, room);
    Div(room.b, room.b, room.a, 8);
    store_statistic<kMode>(exp_max, i, room.b, room);
  }
}

template <SoftmaxMode mode, typename T, typename S>
OPKIT_INLINE void simple_softmax(const LocalTensor<T>& dst, const LocalTensor<S>& sums,
                                 const LocalTensor<S>& maxima, const LocalTensor<T>& src,
                                 const LocalTensor<uint8_t>& tmp, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  const SoftmaxRoom room("SimpleSoftMax", tmp, r.pitch);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> out = dst[i * r.pitch];
    SoftmaxRoom now = room;
    now.a = load_statistic<mode>(maxima, i, room.a, room);
    const LocalTensor<float> y = exponentials(now, out, src[i * r.pitch], r.length);
    with_block(OPK_V_DIV, y, y, load_statistic<mode>(sums, i, room.b, room), r.length);
    finish_result(out, y, r.length);
  }
}

// The logarithm is the decimal one, as the page's formula says: log10(e) (x - max) - log10(sum).
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
    unary(OPK_V_LOG10, room.b, room.b, 8);
    const LocalTensor<float> y = result_of(out, room.row);
    with_block(OPK_V_SUB, y, as_floats(x, room.row, r.length), room.a, r.length);
    Muls(y, y, 0.43429448f, static_cast<int32_t>(r.length));
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

template <bool isDataFormatNZ>
constexpr void check_softmax() {
  static_assert(!isDataFormatNZ, "softmax of NZ data is not emulated: use ND data");
}
template <typename T>
constexpr void check_softmax_type() {
  static_assert(is_real<T>(), "softmax exists for half and float only: Cast to float first");
}

}  // namespace detail

#define OPKIT_SOFTMAX_HEAD                                                                  \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false,              \
            bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG> \
  OPKIT_INLINE void
#define OPKIT_ROWS(name) (detail::softmax_rows<T>(name, tiling, softmaxShapeInfo))
#define OPKIT_CONFIG_ROWS(name) (detail::softmax_rows<T, config>(name, tiling, softmaxShapeInfo))
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
#define OPKIT_SOFTMAX(buffer, memory, E, S)                                                    \
  OPKIT_SOFTMAX_HEAD SoftMax(const LocalTensor<E>& dstTensor, const LocalTensor<S>& sumTensor, \
                             const LocalTensor<S>& maxTensor, const LocalTensor<E>& srcTensor, \
                             buffer const SoftMaxTiling& tiling,                               \
                             const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                  \
    detail::check_softmax<isDataFormatNZ>();                                                   \
    detail::softmax<config.mode, E, S>(dstTensor, &sumTensor, &maxTensor, srcTensor, memory,   \
                                       OPKIT_CONFIG_ROWS("SoftMax"));                          \
  }                                                                                            \
  OPKIT_SOFTMAX_HEAD SimpleSoftMax(                                                            \
      const LocalTensor<E>& dstTensor, const LocalTensor<S>& inSumTensor,                      \
      const LocalTensor<S>& inMaxTensor, const LocalTensor<E>& srcTensor,                      \
      buffer const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {     \
    detail::check_softmax<isDataFormatNZ>();                                                   \
    detail::check_softmax_type<E>();                                                           \
    detail::simple_softmax<config.mode, E, S>(dstTensor, inSumTensor, inMaxTensor, srcTensor,  \
                                              memory, OPKIT_CONFIG_ROWS("SimpleSoftMax"));     \
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
    detail::check_softmax<isDataFormatNZ>();                                                   \
    detail::softmax_flash<config.mode, isUpdate, E, S>(                                        \
        dstTensor, static_cast<const LocalTensor<S>*>(nullptr), expSumTensor, maxTensor,       \
        srcTensor, expMaxTensor, inExpSumTensor, inMaxTensor, memory,                          \
        OPKIT_CONFIG_ROWS("SoftmaxFlashV2"));                                                  \
  }
#define OPKIT_SOFTMAX_FLASH(buffer, memory, E, S)                                              \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false>                 \
  OPKIT_INLINE void SoftmaxFlash(                                                              \
      const LocalTensor<E>& dstTensor, const LocalTensor<S>& sumTensor,                        \
      const LocalTensor<S>& maxTensor, const LocalTensor<E>& srcTensor,                        \
      const LocalTensor<E>& expMaxTensor, const LocalTensor<S>& inSumTensor,                   \
      const LocalTensor<S>& inMaxTensor, buffer const SoftMaxTiling& tiling,                   \
      bool isUpdate = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                  \
    const detail::SoftmaxRows rows = OPKIT_ROWS("SoftmaxFlash");                               \
    if (isUpdate)                                                                              \
      return detail::softmax_flash_first<E, S>(dstTensor, sumTensor, maxTensor, srcTensor,     \
                                               expMaxTensor, inSumTensor, inMaxTensor, memory, \
                                               rows);                                          \
    detail::softmax<SoftmaxMode::SOFTMAX_NORMAL, E, S>(dstTensor, &sumTensor, &maxTensor,      \
                                                       srcTensor, memory, rows);               \
  }
// Statistics in the element type, and float statistics of half.
OPKIT_SOFTMAX_FLASH(OPKIT_SHARED_BUFFER, sharedTmpBuffer, T, T)
OPKIT_SOFTMAX_FLASH(, detail::rest_of_ub(), T, T)
OPKIT_SOFTMAX_FLASH(OPKIT_SHARED_BUFFER, sharedTmpBuffer, half, float)
OPKIT_SOFTMAX_FLASH(, detail::rest_of_ub(), half, float)
#undef OPKIT_SOFTMAX_FLASH
OPKIT_SOFTMAX(OPKIT_SHARED_BUFFER, sharedTmpBuffer, T, T)
OPKIT_SOFTMAX(, detail::rest_of_ub(), T, T)
OPKIT_SOFTMAX(OPKIT_SHARED_BUFFER, sharedTmpBuffer, half, float)
OPKIT_SOFTMAX(, detail::rest_of_ub(), half, float)
#undef OPKIT_SOFTMAX

#define OPKIT_SOFTMAX_ALONE(buffer, memory)                                                        \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false,                     \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                                     \
  OPKIT_INLINE void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,      \
                            buffer const SoftMaxTiling& tiling,                                    \
                            const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                       \
    const LocalTensor<T>* none = nullptr;                                                          \
    detail::softmax<config.mode>(dstTensor, none, none, srcTensor, memory,                         \
                                 OPKIT_CONFIG_ROWS("SoftMax"));                                    \
  }                                                                                                \
  template <typename T, bool isUpdate = false, bool isReuseSource = false,                         \
            bool isBasicBlock = false, bool isDataFormatNZ = false,                                \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                                     \
  OPKIT_INLINE void SoftmaxFlashV2(                                                                \
      const LocalTensor<T>& dstTensor, const LocalTensor<T>& outReduceMax,                         \
      const LocalTensor<T>& expSumTensor, const LocalTensor<T>& maxTensor,                         \
      const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,                         \
      const LocalTensor<T>& inExpSumTensor, const LocalTensor<T>& inMaxTensor,                     \
      buffer const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {         \
    detail::check_softmax<isDataFormatNZ>();                                                       \
    static_assert(config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC,                          \
                  "SoftmaxFlashV2 with outReduceMax needs SOFTMAX_OUTPUT_WITHOUT_BRC");            \
    detail::softmax_flash<config.mode, isUpdate>(                                                  \
        dstTensor, &outReduceMax, expSumTensor, maxTensor, srcTensor, expMaxTensor,                \
        inExpSumTensor, inMaxTensor, memory, OPKIT_CONFIG_ROWS("SoftmaxFlashV2"));                 \
  }                                                                                                \
  template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>                   \
  OPKIT_INLINE void LogSoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& sumTensor,   \
                               const LocalTensor<T>& maxTensor, const LocalTensor<T>& srcTensor,   \
                               buffer const LogSoftMaxTiling& tiling,                              \
                               const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                    \
    detail::check_softmax<isDataFormatNZ>();                                                       \
    detail::log_softmax<T, T>(dstTensor, sumTensor, maxTensor, srcTensor, memory,                  \
                              OPKIT_ROWS("LogSoftMax"));                                           \
  }                                                                                                \
  template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>                   \
  OPKIT_INLINE void SoftmaxGrad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor, \
                                const LocalTensor<T>& srcTensor,                                   \
                                buffer const SoftMaxTiling& tiling, bool isFront = false,          \
                                const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                   \
    detail::check_softmax<isDataFormatNZ>();                                                       \
    detail::check_softmax_type<T>();                                                               \
    detail::softmax_grad<T>(dstTensor, gradTensor, srcTensor, memory, isFront,                     \
                            OPKIT_ROWS("SoftmaxGrad"));                                            \
  }                                                                                                \
  template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>                    \
  OPKIT_INLINE void SoftmaxGradFront(                                                              \
      const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,                           \
      const LocalTensor<T>& srcTensor, buffer const SoftMaxTiling& tiling,                         \
      const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                                             \
    detail::check_softmax<isDataFormatNZ>();                                                       \
    detail::check_softmax_type<T>();                                                               \
    detail::softmax_grad<T>(dstTensor, gradTensor, srcTensor, memory, true,                        \
                            OPKIT_ROWS("SoftmaxGradFront"));                                       \
  }
OPKIT_SOFTMAX_ALONE(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_SOFTMAX_ALONE(, detail::rest_of_ub())
#undef OPKIT_SOFTMAX_ALONE
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_CONFIG_ROWS
#undef OPKIT_ROWS
#undef OPKIT_SOFTMAX_HEAD

// Rows whose maximum has the bit pattern `from` are filled with `to`; true if there was one.
template <typename T1, typename T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
OPKIT_INLINE bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes,
                                   const LocalTensor<T2>& maxTensor, const uint32_t from,
                                   const T1 to, const SoftMaxShapeInfo& softmaxShapeInfo) {
  static_assert(!isDataFormatNZ, "AdjustSoftMaxRes of NZ data is not emulated: use ND data");
  detail::check_softmax_type<T1>();
  detail::check_softmax_type<T2>();
  constexpr uint32_t kStep = stepSizeMode == 0 ? detail::block_lanes<T2>() : 1;
  bool any = false;
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < softmaxShapeInfo.srcM; ++i) {
    if (detail::bits(maxTensor.GetValue(i * kStep)) != from) continue;
    Duplicate(softMaxRes[i * softmaxShapeInfo.srcK], to,
              static_cast<int32_t>(softmaxShapeInfo.srcK));
    any = true;
  }
  return any;
}

// The tiling computed in the kernel; loops take as many rows as the work space holds.
constexpr SoftMaxTiling SoftMaxFlashV2TilingFunc(const SoftMaxShapeInfo& shapeInfo,
                                                 const uint32_t dataTypeSize1, const uint32_t,
                                                 const uint32_t localWorkSpaceSize,
                                                 const bool = false, const bool = false,
                                                 const bool = false, const bool = false) {
  const uint32_t row = ((shapeInfo.srcK + 7) / 8 * 8 + 32) * 4;  // bytes
  const uint32_t fitting = localWorkSpaceSize / row;
  SoftMaxTiling t;
  t.srcM = t.outMaxM = t.reduceM = shapeInfo.srcM;
  t.srcK = t.splitK = shapeInfo.srcK;
  t.srcSize = t.srcM * t.srcK;
  t.outMaxK = ONE_BLK_SIZE / dataTypeSize1;
  t.reduceK = ONE_BLK_SIZE / sizeof(float);
  t.outMaxSize = t.outMaxM * t.outMaxK;
  t.splitM = fitting < 1 ? 1 : fitting < t.srcM ? fitting : t.srcM;
  if (t.splitM == 0) return t;
  t.splitSize = t.splitM * t.splitK;
  t.reduceM = t.splitM;
  t.reduceSize = t.reduceM * t.reduceK;
  t.rangeM = t.srcM / t.splitM;
  t.tailM = t.srcM % t.splitM;
  t.tailSplitSize = t.tailM * t.splitK;
  t.tailReduceSize = t.tailM * t.reduceK;
  return t;
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_H_
