// SoftMax, SimpleSoftMax, LogSoftMax, AdjustSoftMaxRes. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_H_

#include "opkit/include/ascendc/advanced_softmax_rows.h"
#include "opkit/include/ascendc/sync.h"

namespace AscendC {
namespace detail {

template <bool isNz, SoftmaxMode mode, typename T, typename S>
OPKIT_INLINE void softmax(const LocalTensor<T>& dst, const LocalTensor<S>* sums,
                          const LocalTensor<S>* maxima, const LocalTensor<T>& src,
                          const LocalTensor<uint8_t>& tmp, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  const uint32_t size = r.height * r.pitch;
  const Extent max_row = maxima ? statistics<mode>(*maxima, r) : Extent{};
  const Extent sum_row = sums ? statistics<mode>(*sums, r) : Extent{};
  if (excludes_shared("SoftMax", tmp, extent(dst, size), extent(src, size), max_row, sum_row))
    return;
  Scratch scratch("SoftMax", tmp);
  const SoftmaxRoom room(scratch, r.pitch);
  const SoftmaxLine<isNz, T> line(scratch, r);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> x = line.load(src, i), out = line.place(dst, i);
    row_maximum(room, x, r.length);
    if (maxima) store_statistic<mode>(*maxima, i, room.a, room);
    const LocalTensor<float> y = exponentials(room, out, x, r.pitch);
    reduce_to_block<ReduceType::SUM>(room.b, y, partial_sums(room, out), r.length);
    with_block(OPK_V_DIV, y, y, room.b, r.pitch);
    finish_result(out, y, r.pitch);
    line.store(dst, i);
    if (sums) store_statistic<mode>(*sums, i, room.b, room);
  }
}

template <bool isNz, SoftmaxMode mode, typename T, typename S>
OPKIT_INLINE void simple_softmax(const LocalTensor<T>& dst, const LocalTensor<S>& sums,
                                 const LocalTensor<S>& maxima, const LocalTensor<T>& src,
                                 const LocalTensor<uint8_t>& tmp, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  const uint32_t size = r.height * r.pitch;
  if (excludes_shared("SimpleSoftMax", tmp, extent(dst, size), extent(src, size),
                      statistics<mode>(sums, r), statistics<mode>(maxima, r)))
    return;
  Scratch scratch("SimpleSoftMax", tmp);
  const SoftmaxRoom room(scratch, r.pitch);
  const SoftmaxLine<isNz, T> line(scratch, r);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> x = line.load(src, i), out = line.place(dst, i);
    SoftmaxRoom now = room;
    now.a = load_statistic<mode>(maxima, i, room.a, room);
    const LocalTensor<float> y = exponentials(now, out, x, r.pitch);
    with_block(OPK_V_DIV, y, y, load_statistic<mode>(sums, i, room.b, room), r.pitch);
    finish_result(out, y, r.pitch);
    line.store(dst, i);
  }
}

// The logarithm is the decimal one, as the page's formula says: log10(e) (x - max) - log10(sum).
// The exponentials are summed before dst is written: dst holds partial sums meanwhile.
template <bool isNz, typename T, typename S>
OPKIT_INLINE void log_softmax(const LocalTensor<T>& dst, const LocalTensor<S>& sums,
                              const LocalTensor<S>& maxima, const LocalTensor<T>& src,
                              const LocalTensor<uint8_t>& tmp, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  if (overlap(dst, src, r.height * r.pitch)) return refuse_overlap("LogSoftMax");
  constexpr SoftmaxMode kMode = SoftmaxMode::SOFTMAX_NORMAL;
  const uint32_t size = r.height * r.pitch;
  if (excludes_any("LogSoftMax", tmp, extent(dst, size), extent(src, size)) ||
      excludes_shared("LogSoftMax", tmp, statistics<kMode>(sums, r), statistics<kMode>(maxima, r)))
    return;
  Scratch scratch("LogSoftMax", tmp);
  const SoftmaxRoom room(scratch, r.pitch);
  const SoftmaxLine<isNz, T> line(scratch, r);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<T> x = line.load(src, i), out = line.place(dst, i);
    const uint32_t at = i * block_lanes<S>();
    row_maximum(room, x, r.length);
    store_block(maxima[at], room.a, room.row);
    reduce_to_block<ReduceType::SUM>(room.b, exponentials(room, out, x, r.length),
                                     partial_sums(room, out), r.length);
    store_block(sums[at], room.b, room.row);
    unary(OPK_V_LOG10, room.b, room.b, 8);
    const LocalTensor<float> y = result_of(out, room.row);
    with_block(OPK_V_SUB, y, as_floats(line.load(src, i), room.row, r.pitch), room.a, r.pitch);
    Muls(y, y, 0.43429448f, static_cast<int32_t>(r.pitch));
    with_block(OPK_V_SUB, y, y, room.b, r.pitch);
    finish_result(out, y, r.pitch);
    line.store(dst, i);
  }
}

}  // namespace detail

#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
#define OPKIT_SOFTMAX_HEAD                                                                  \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false,              \
            bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG> \
  OPKIT_INLINE void
#define OPKIT_NZ_ROWS(name) \
  (detail::softmax_rows<isDataFormatNZ, T, config>(name, tiling, softmaxShapeInfo))
#define OPKIT_SOFTMAX(buffer, memory, E, S)                                                      \
  OPKIT_SOFTMAX_HEAD SoftMax(const LocalTensor<E>& dstTensor, const LocalTensor<S>& sumTensor,   \
                             const LocalTensor<S>& maxTensor, const LocalTensor<E>& srcTensor,   \
                             buffer const SoftMaxTiling& tiling,                                 \
                             const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                    \
    const detail::LibraryCall in_library("SoftMax");                                             \
    detail::softmax<isDataFormatNZ, config.mode, E, S>(                                          \
        dstTensor, &sumTensor, &maxTensor, srcTensor, memory, OPKIT_NZ_ROWS("SoftMax"));         \
  }                                                                                              \
  OPKIT_SOFTMAX_HEAD SimpleSoftMax(                                                              \
      const LocalTensor<E>& dstTensor, const LocalTensor<S>& inSumTensor,                        \
      const LocalTensor<S>& inMaxTensor, const LocalTensor<E>& srcTensor,                        \
      buffer const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {       \
    const detail::LibraryCall in_library("SimpleSoftMax");                                       \
    detail::check_softmax_type<E>();                                                             \
    detail::simple_softmax<isDataFormatNZ, config.mode, E, S>(                                   \
        dstTensor, inSumTensor, inMaxTensor, srcTensor, memory, OPKIT_NZ_ROWS("SimpleSoftMax")); \
  }
// Statistics in the element type, and float statistics of half.
OPKIT_SOFTMAX(OPKIT_SHARED_BUFFER, sharedTmpBuffer, T, T)
OPKIT_SOFTMAX(, detail::rest_of_ub(), T, T)
OPKIT_SOFTMAX(OPKIT_SHARED_BUFFER, sharedTmpBuffer, half, float)
OPKIT_SOFTMAX(, detail::rest_of_ub(), half, float)
#undef OPKIT_SOFTMAX
#undef OPKIT_NZ_ROWS
#undef OPKIT_SOFTMAX_HEAD

#define OPKIT_SOFTMAX_ALONE(buffer, memory)                                                      \
  template <typename T, bool isReuseSource = false, bool isBasicBlock = false,                   \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                                   \
  OPKIT_INLINE void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,    \
                            buffer const SoftMaxTiling& tiling,                                  \
                            const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                     \
    const detail::LibraryCall in_library("SoftMax");                                             \
    const LocalTensor<T>* none = nullptr;                                                        \
    detail::softmax<false, config.mode>(                                                         \
        dstTensor, none, none, srcTensor, memory,                                                \
        detail::softmax_rows<false, T, config>("SoftMax", tiling, softmaxShapeInfo));            \
  }                                                                                              \
  template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>                 \
  OPKIT_INLINE void LogSoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& sumTensor, \
                               const LocalTensor<T>& maxTensor, const LocalTensor<T>& srcTensor, \
                               buffer const LogSoftMaxTiling& tiling,                            \
                               const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                  \
    const detail::LibraryCall in_library("LogSoftMax");                                          \
    detail::log_softmax<isDataFormatNZ, T, T>(                                                   \
        dstTensor, sumTensor, maxTensor, srcTensor, memory,                                      \
        detail::softmax_rows<isDataFormatNZ, T>("LogSoftMax", tiling, softmaxShapeInfo));        \
  }
OPKIT_SOFTMAX_ALONE(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_SOFTMAX_ALONE(, detail::rest_of_ub())
#undef OPKIT_SOFTMAX_ALONE
#undef OPKIT_SHARED_BUFFER

// Rows whose maximum has the bit pattern `from` are filled with `to`; true if there was one.
template <typename T1, typename T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
OPKIT_INLINE bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes,
                                   const LocalTensor<T2>& maxTensor, const uint32_t from,
                                   const T1 to, const SoftMaxShapeInfo& softmaxShapeInfo) {
  const detail::LibraryCall in_library("AdjustSoftMaxRes");
  static_assert(!isDataFormatNZ, "AdjustSoftMaxRes takes ND data only");
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

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_H_
