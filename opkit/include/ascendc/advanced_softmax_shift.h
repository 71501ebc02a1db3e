// SoftmaxFlashV3: softmax of rows whose eight parts are moved towards the mean of the row. (Page
// "SoftmaxFlashV3".) half rows, float statistics of one block per row; computed in float.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_SHIFT_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_SHIFT_H_

#include "opkit/include/ascendc/advanced_softmax_rows.h"

namespace AscendC {

// loopCnt: number of this piece of the row, from 1.
struct SoftMaxParams {
  uint32_t srcM;
  uint32_t srcK;
  uint32_t oriSrcM;
  uint32_t oriSrcK;
  uint32_t loopCnt;
  uint32_t splitMeanCnt;
  float alpha;
};

namespace detail {

// One row of floats and blocks of equal lanes.
struct ShiftRoom {
  LocalTensor<float> row, work, mean, maximum, shift, before, t, parts;

  OPKIT_INLINE ShiftRoom(Scratch& scratch, uint32_t length) {
    row = scratch.take<float>(length);
    work = scratch.take<float>(fold_room<float>(length) + 8);
    mean = scratch.take<float>(8);
    maximum = scratch.take<float>(8);
    shift = scratch.take<float>(8);
    before = scratch.take<float>(8);
    t = scratch.take<float>(8);
    parts = scratch.take<float>(64);
  }
};

// row -= (mean of the row - mean of the part) * scalar; mean = the row's.
OPKIT_INLINE void shift_parts(const ShiftRoom& r, uint32_t length, float scalar) {
  constexpr uint32_t kParts = 8;
  const uint32_t part = length / kParts;
  Duplicate(r.mean, 0.0f, 8);
  for (uint32_t k = 0; k < kParts; ++k) {
    const LocalTensor<float> sum = r.parts[k * 8];
    reduce_to_block<ReduceType::SUM>(sum, r.row[k * part], r.work, part);
    Muls(sum, sum, 1.0f / static_cast<float>(part), 8);
    Add(r.mean, r.mean, sum, 8);
  }
  Muls(r.mean, r.mean, 1.0f / kParts, 8);
  for (uint32_t k = 0; k < kParts; ++k) {
    Sub(r.t, r.mean, r.parts[k * 8], 8);
    Muls(r.t, r.t, scalar, 8);
    with_block(OPK_V_SUB, r.row[k * part], r.row[k * part], r.t, part);
  }
}

struct ShiftStatistics {
  LocalTensor<float> mean, sum, maximum;
};

// One row: maximum = the new maximum, shift = that of the current piece, t = exp(old - new) for an
// update; the new mean is stored.
template <bool isUpdate>
OPKIT_INLINE void shifted_maximum(const ShiftRoom& r, const ShiftStatistics& out,
                                  const ShiftStatistics& in, uint32_t length, float scalar,
                                  float count) {
  reduce_to_block<ReduceType::MAX>(r.maximum, r.row, r.work, length);
  if constexpr (!isUpdate) {
    Adds(out.mean, r.mean, 0.0f, 8);
    Duplicate(r.shift, 0.0f, 8);
  } else {
    Muls(r.t, in.mean, count - 1.0f, 8);
    Add(r.t, r.t, r.mean, 8);
    Muls(r.t, r.t, 1.0f / count, 8);  // the new mean
    Sub(r.shift, r.mean, r.t, 8);
    Muls(r.shift, r.shift, scalar, 8);
    Sub(r.before, in.mean, r.t, 8);
    Muls(r.before, r.before, scalar, 8);
    Adds(out.mean, r.t, 0.0f, 8);
    Add(r.before, r.before, in.maximum, 8);
    Add(r.maximum, r.maximum, r.shift, 8);
    Max(r.maximum, r.maximum, r.before, 8);
    Sub(r.t, r.before, r.maximum, 8);
    Exp(r.t, r.t, 8);
  }
  Sub(r.shift, r.maximum, r.shift, 8);  // what is subtracted from the row
}

template <bool isUpdate>
OPKIT_INLINE void softmax_flash_shift(const LocalTensor<half>& dst, const ShiftStatistics& out,
                                      const LocalTensor<half>& src,
                                      const LocalTensor<half>& exp_max, const ShiftStatistics& in,
                                      const LocalTensor<uint8_t>& tmp, const SoftMaxParams& p) {
  if (p.srcK < 512 || p.srcK % 64 != 0)
    return refuse_shape("SoftmaxFlashV3", "srcK must be a multiple of 64 from 512 on", p.srcK);
  if (p.splitMeanCnt != 8)
    return refuse_shape("SoftmaxFlashV3", "splitMeanCnt must be 8", p.splitMeanCnt);
  if (p.loopCnt == 0) return refuse_shape("SoftmaxFlashV3", "loopCnt must be at least 1", 0);
  const uint32_t size = p.srcM * p.srcK;
  if (excludes_shared("SoftmaxFlashV3", tmp, extent(dst, size), extent(src, size),
                      extent(out.mean, p.srcM * 8), extent(out.sum, p.srcM * 8),
                      extent(out.maximum, p.srcM * 8)))
    return;
  Scratch scratch("SoftmaxFlashV3", tmp);
  const ShiftRoom r(scratch, p.srcK);
  const float scalar = p.alpha / (1.0f - p.alpha);
  const auto n = static_cast<int32_t>(p.srcK);
  for (uint32_t i = 0; i < p.srcM; ++i) {
    const auto row_of = [&](const ShiftStatistics& s) {
      return ShiftStatistics{s.mean[i * 8], s.sum[i * 8], s.maximum[i * 8]};
    };
    const ShiftStatistics to = row_of(out), from = row_of(in);
    Cast(r.row, src[i * p.srcK], RoundMode::CAST_NONE, p.srcK);
    shift_parts(r, p.srcK, scalar);
    shifted_maximum<isUpdate>(r, to, from, p.srcK, scalar, static_cast<float>(p.loopCnt));
    with_block(OPK_V_SUB, r.row, r.row, r.shift, p.srcK);
    Exp(r.row, r.row, n);
    reduce_to_block<ReduceType::SUM>(r.shift, r.row, r.work, p.srcK);
    if constexpr (isUpdate) {
      Mul(r.before, r.t, from.sum, 8);
      Add(r.shift, r.shift, r.before, 8);
    }
    Adds(to.sum, r.shift, 0.0f, 8);
    Adds(to.maximum, r.maximum, 0.0f, 8);
    Cast(dst[i * p.srcK], r.row, RoundMode::CAST_NONE, p.srcK);
    if constexpr (isUpdate) store_block(exp_max[i * 16], r.t, r.work);
  }
}

}  // namespace detail

#define OPKIT_SOFTMAX_SHIFT(buffer, memory)                                            \
  template <typename T, typename U, bool isUpdate = false, bool isReuseSource = false, \
            bool isBasicBlock = false, bool isDataFormatNZ = false,                    \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                         \
  OPKIT_INLINE void SoftmaxFlashV3(                                                    \
      const LocalTensor<T>& dstTensor, const LocalTensor<U>& meanTensor,               \
      const LocalTensor<U>& expSumTensor, const LocalTensor<U>& maxTensor,             \
      const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,             \
      const LocalTensor<U>& inMeanTensor, const LocalTensor<U>& inExpSumTensor,        \
      const LocalTensor<U>& inMaxTensor, buffer const SoftMaxTiling& tiling,           \
      const SoftMaxParams& params) {                                                   \
    const detail::LibraryCall in_library("SoftmaxFlashV3");                            \
    static_assert(std::is_same<T, half>::value && std::is_same<U, float>::value,       \
                  "SoftmaxFlashV3 takes half rows and float statistics only");         \
    static_assert(!isDataFormatNZ, "SoftmaxFlashV3 takes ND data only");               \
    (void)tiling;                                                                      \
    detail::softmax_flash_shift<isUpdate>(                                             \
        dstTensor, {meanTensor, expSumTensor, maxTensor}, srcTensor, expMaxTensor,     \
        {inMeanTensor, inExpSumTensor, inMaxTensor}, memory, params);                  \
  }
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
OPKIT_SOFTMAX_SHIFT(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_SOFTMAX_SHIFT(, detail::rest_of_ub())
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_SOFTMAX_SHIFT

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_SHIFT_H_
