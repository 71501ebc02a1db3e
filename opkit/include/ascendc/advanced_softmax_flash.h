// SoftmaxFlash, SoftmaxFlashV2 and its tiling in the kernel. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_FLASH_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_FLASH_H_

#include "opkit/include/ascendc/advanced_softmax.h"

namespace AscendC {
namespace detail {

// row_max: where the maximum of the row alone goes, or null.
template <bool isNz, SoftmaxMode mode, bool isUpdate, typename T, typename S>
OPKIT_INLINE void softmax_flash(const LocalTensor<T>& dst, const LocalTensor<S>* row_max,
                                const LocalTensor<S>& exp_sum, const LocalTensor<S>& maxima,
                                const LocalTensor<T>& src, const LocalTensor<T>& exp_max,
                                const LocalTensor<S>& in_exp_sum, const LocalTensor<S>& in_max,
                                const LocalTensor<uint8_t>& tmp, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  const uint32_t size = r.height * r.pitch;
  if (excludes_shared("SoftmaxFlashV2", tmp, extent(dst, size), extent(src, size),
                      statistics<mode>(exp_sum, r), statistics<mode>(maxima, r)))
    return;
  if (isUpdate && excludes_shared("SoftmaxFlashV2", tmp, statistics<mode>(exp_max, r),
                                  statistics<mode>(in_exp_sum, r), statistics<mode>(in_max, r)))
    return;
  Scratch scratch("SoftmaxFlashV2", tmp);
  const SoftmaxRoom room(scratch, r.pitch);
  const SoftmaxLine<isNz, T> line(scratch, r);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> x = line.load(src, i), out = line.place(dst, i);
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
    const LocalTensor<float> y = exponentials(room, out, x, r.pitch);
    reduce_to_block<ReduceType::SUM>(room.a, y, partial_sums(room, out), r.length);
    finish_result(out, y, r.pitch);
    line.store(dst, i);
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
  const uint32_t size = r.height * r.pitch;
  if (excludes_shared("SoftmaxFlash", tmp, extent(dst, size), extent(src, size),
                      statistics<kMode>(sums, r), statistics<kMode>(maxima, r),
                      statistics<kMode>(exp_max, r), statistics<kMode>(in_sum, r),
                      statistics<kMode>(in_max, r)))
    return;
  Scratch scratch("SoftmaxFlash", tmp);
  const SoftmaxRoom room(scratch, r.pitch);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> out = dst[i * r.pitch], x = src[i * r.pitch];
    row_maximum(room, x, r.length);
    const LocalTensor<float> before = load_statistic<kMode>(in_max, i, room.b, room);
    Max(room.a, room.a, before, 8);
    Sub(room.b, before, room.a, 8);
    Exp(room.b, room.b, 8);
    store_statistic<kMode>(maxima, i, room.a, room);
    const LocalTensor<float> y = exponentials(room, out, x, r.pitch);
    reduce_to_block<ReduceType::SUM>(room.a, y, partial_sums(room, out), r.length);
    if constexpr (std::is_same<T, float>::value) {
      Mul(room.b, room.b, load_statistic<kMode>(in_sum, i, room.row, room), 8);
    } else {
      const LocalTensor<float> spare = partial_sums(room, out);  // y lies in the room's row
      Mul(room.b, room.b, load_statistic<kMode>(in_sum, i, spare, room), 8);
    }
    Add(room.a, room.a, room.b, 8);
    with_block(OPK_V_DIV, y, y, room.a, r.pitch);
    finish_result(out, y, r.pitch);
    store_statistic<kMode>(sums, i, room.a, room);
    Div(room.b, room.b, room.a, 8);
    store_statistic<kMode>(exp_max, i, room.b, room);
  }
}

}  // namespace detail

#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
#define OPKIT_FLASH_HEAD                                                   \
  template <typename T, bool isUpdate = false, bool isReuseSource = false, \
            bool isBasicBlock = false, bool isDataFormatNZ = false,        \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>             \
  OPKIT_INLINE void
#define OPKIT_FLASH_ROWS(nz) \
  (detail::softmax_rows<nz, T, config>("SoftmaxFlashV2", tiling, softmaxShapeInfo))
#define OPKIT_SOFTMAX_FLASH(buffer, memory, E, S)                                                \
  OPKIT_FLASH_HEAD SoftmaxFlashV2(                                                               \
      const LocalTensor<E>& dstTensor, const LocalTensor<S>& expSumTensor,                       \
      const LocalTensor<S>& maxTensor, const LocalTensor<E>& srcTensor,                          \
      const LocalTensor<E>& expMaxTensor, const LocalTensor<S>& inExpSumTensor,                  \
      const LocalTensor<S>& inMaxTensor, buffer const SoftMaxTiling& tiling,                     \
      const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                                           \
    const detail::LibraryCall in_library("SoftmaxFlashV2");                                      \
    detail::softmax_flash<isDataFormatNZ, config.mode, isUpdate, E, S>(                          \
        dstTensor, static_cast<const LocalTensor<S>*>(nullptr), expSumTensor, maxTensor,         \
        srcTensor, expMaxTensor, inExpSumTensor, inMaxTensor, memory,                            \
        OPKIT_FLASH_ROWS(isDataFormatNZ));                                                       \
  }                                                                                              \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false>                   \
  OPKIT_INLINE void SoftmaxFlash(                                                                \
      const LocalTensor<E>& dstTensor, const LocalTensor<S>& sumTensor,                          \
      const LocalTensor<S>& maxTensor, const LocalTensor<E>& srcTensor,                          \
      const LocalTensor<E>& expMaxTensor, const LocalTensor<S>& inSumTensor,                     \
      const LocalTensor<S>& inMaxTensor, buffer const SoftMaxTiling& tiling,                     \
      bool isUpdate = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                    \
    const detail::LibraryCall in_library("SoftmaxFlash");                                        \
    const detail::SoftmaxRows rows =                                                             \
        detail::softmax_rows<false, T>("SoftmaxFlash", tiling, softmaxShapeInfo);                \
    if (isUpdate)                                                                                \
      return detail::softmax_flash_first<E, S>(dstTensor, sumTensor, maxTensor, srcTensor,       \
                                               expMaxTensor, inSumTensor, inMaxTensor, memory,   \
                                               rows);                                            \
    detail::softmax<false, SoftmaxMode::SOFTMAX_NORMAL, E, S>(dstTensor, &sumTensor, &maxTensor, \
                                                              srcTensor, memory, rows);          \
  }
// Statistics in the element type, and float statistics of half.
OPKIT_SOFTMAX_FLASH(OPKIT_SHARED_BUFFER, sharedTmpBuffer, T, T)
OPKIT_SOFTMAX_FLASH(, detail::rest_of_ub(), T, T)
OPKIT_SOFTMAX_FLASH(OPKIT_SHARED_BUFFER, sharedTmpBuffer, half, float)
OPKIT_SOFTMAX_FLASH(, detail::rest_of_ub(), half, float)
#undef OPKIT_SOFTMAX_FLASH

#define OPKIT_FLASH_WITH_MAXIMA(buffer, memory)                                            \
  OPKIT_FLASH_HEAD SoftmaxFlashV2(                                                         \
      const LocalTensor<T>& dstTensor, const LocalTensor<T>& outReduceMax,                 \
      const LocalTensor<T>& expSumTensor, const LocalTensor<T>& maxTensor,                 \
      const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,                 \
      const LocalTensor<T>& inExpSumTensor, const LocalTensor<T>& inMaxTensor,             \
      buffer const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) { \
    const detail::LibraryCall in_library("SoftmaxFlashV2");                                \
    static_assert(!isDataFormatNZ, "SoftmaxFlashV2 with outReduceMax takes ND data only"); \
    static_assert(config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC,                  \
                  "SoftmaxFlashV2 with outReduceMax needs SOFTMAX_OUTPUT_WITHOUT_BRC");    \
    detail::softmax_flash<false, config.mode, isUpdate>(                                   \
        dstTensor, &outReduceMax, expSumTensor, maxTensor, srcTensor, expMaxTensor,        \
        inExpSumTensor, inMaxTensor, memory, OPKIT_FLASH_ROWS(false));                     \
  }
OPKIT_FLASH_WITH_MAXIMA(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_FLASH_WITH_MAXIMA(, detail::rest_of_ub())
#undef OPKIT_FLASH_WITH_MAXIMA
#undef OPKIT_FLASH_ROWS
#undef OPKIT_FLASH_HEAD
#undef OPKIT_SHARED_BUFFER

// Returns the tiling computed in the kernel; loops take as many rows as the work space holds.
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

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_FLASH_H_
