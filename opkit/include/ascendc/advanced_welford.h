// WelfordUpdate and WelfordFinalize: mean and variance of a row that comes in pieces. (Pages of
// those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_WELFORD_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_WELFORD_H_

#include "opkit/include/ascendc/advanced_broadcast.h"
#include "opkit/include/ascendc/advanced_rows.h"

namespace AscendC {

// isInplace: what lies behind abComputeLength is copied from the inputs, otherwise left as it is.
struct WelfordUpdateConfig {
  bool isInplace = false;
};
inline constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG{};
// nRec: 1 / number of the piece, from 1.
struct WelfordUpdateParam {
  uint32_t rnLength;
  uint32_t abLength;
  uint32_t abComputeLength;
  float nRec;
};

struct WelfordFinalizeConfig {
  bool isCorrection = false;
};
inline constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG{};
// The first headCountLength lanes count headCount elements each, the next tailCountLength lanes
// tailCount. rRec: 1 / number of all elements.
struct WelfordFinalizePara {
  uint32_t rnLength;
  uint32_t abLength;
  uint32_t headCount;
  uint32_t headCountLength;
  uint32_t tailCount;
  uint32_t tailCountLength;
  float abRec;
  float rRec;
  float rRecWithCorrection;
};

namespace detail {

// mean += (x - mean) / n; m2 += (x - old mean)(x - new mean).
template <bool kInplace, typename T>
OPKIT_INLINE void welford_update(const LocalTensor<float>& mean, const LocalTensor<float>& m2,
                                 const LocalTensor<float>& old_mean,
                                 const LocalTensor<float>& old_m2, const LocalTensor<T>& x,
                                 const LocalTensor<uint8_t>& tmp, const WelfordUpdateParam& p) {
  static_assert(is_real<T>(),
                "WelfordUpdate takes half and float only: Cast other types to float first");
  if (!is_whole_row<T>("WelfordUpdate", p.abLength)) return;
  if (p.rnLength != 1) return refuse_shape("WelfordUpdate", "rnLength must be 1", p.rnLength);
  if (p.abComputeLength == 0 || p.abComputeLength > p.abLength)
    return refuse_shape("WelfordUpdate", "abComputeLength must be from 1 to abLength",
                        p.abComputeLength);
  // In place each statistic may take its own place.
  const Extent of_mean = extent(mean, p.abLength), of_m2 = extent(m2, p.abLength);
  const Extent was_mean = extent(old_mean, p.abLength), was_m2 = extent(old_m2, p.abLength);
  const Extent in = extent(x, p.abLength);
  const bool keeps_mean = kInplace && of_mean.begin == was_mean.begin;
  const bool keeps_m2 = kInplace && of_m2.begin == was_m2.begin;
  if (excludes_overlap("WelfordUpdate", of_mean, keeps_mean ? Extent{} : was_mean, was_m2, in) ||
      excludes_overlap("WelfordUpdate", of_m2, keeps_m2 ? Extent{} : was_m2, was_mean, in) ||
      excludes_shared("WelfordUpdate", tmp, of_mean, of_m2, was_mean, was_m2, in))
    return;
  if constexpr (kInplace) {
    copy_elements(mean, old_mean, p.abLength);
    copy_elements(m2, old_m2, p.abLength);
  }
  in_pieces("WelfordUpdate", tmp, 3, p.abComputeLength,
            [&](uint32_t first, uint32_t count, const Floats& t) {
              const auto n = static_cast<int32_t>(count);
              const LocalTensor<float> row = as_floats(x[first], t[2], count);
              Sub(t[0], row, old_mean[first], n);
              Muls(t[1], t[0], p.nRec, n);
              Add(mean[first], old_mean[first], t[1], n);
              Sub(t[1], row, mean[first], n);
              Mul(t[0], t[0], t[1], n);
              Add(m2[first], old_m2[first], t[0], n);
            });
}

// f(first, n, piece): scales a piece of `from` by what its lanes count, into `piece`.
template <typename F>
OPKIT_INLINE void welford_finalize(const LocalTensor<float>& out_mean,
                                   const LocalTensor<float>& out_variance,
                                   const LocalTensor<float>& mean, const LocalTensor<float>& m2,
                                   const LocalTensor<uint8_t>& tmp, const WelfordFinalizePara& p,
                                   F&& weigh) {
  if (!is_whole_row<float>("WelfordFinalize", p.abLength)) return;
  const Extent to_mean = extent(out_mean, 1), to_variance = extent(out_variance, 1);
  const Extent in = extent(mean, p.abLength), in2 = extent(m2, p.abLength);
  if (excludes_overlap("WelfordFinalize", to_mean, in, in2) ||
      excludes_overlap("WelfordFinalize", to_variance, in, in2) ||
      excludes_shared("WelfordFinalize", tmp, to_mean, to_variance, in, in2))
    return;
  Scratch scratch("WelfordFinalize", tmp);
  const auto n = static_cast<int32_t>(p.abLength);
  const LocalTensor<float> a = scratch.take<float>(p.abLength), b = scratch.take<float>(p.abLength);
  const LocalTensor<float> work = scratch.take<float>(fold_room<float>(p.abLength));
  const LocalTensor<float> block = scratch.take<float>(8), sum = scratch.take<float>(8);
  weigh(a, mean, b);
  reduce_to_block<ReduceType::SUM>(block, a, work, p.abLength);
  Muls(block, block, p.rRec, 8);
  with_block(OPK_V_SUB, a, mean, block, p.abLength);
  reduce_iterations<ReduceType::MAX>(out_mean, block, 1, 1, 8);
  Mul(a, a, a, n);
  weigh(a, a, b);
  Add(a, a, m2, n);
  reduce_to_block<ReduceType::SUM>(sum, a, work, p.abLength);
  Muls(sum, sum, p.rRec, 8);
  reduce_iterations<ReduceType::MAX>(out_variance, sum, 1, 1, 8);
}

// Multiplies the lanes from `first` on; first may lie inside a block.
OPKIT_INLINE void multiply_tail(const LocalTensor<float>& dst, uint32_t first, uint32_t end,
                                float factor) {
  const uint32_t block = first / 8 * 8, begin = align_to(first, 8);
  if (begin > first) {
    const uint64_t stop = end < block + 8 ? end - block : 8;
    const uint64_t mask[2] = {(uint64_t{1} << stop) - (uint64_t{1} << (first - block)), 0};
    Muls(dst[block], dst[block], factor, mask, 1, UnaryRepeatParams(1, 1, 8, 8));
    ResetMask();
  }
  if (end > begin) Muls(dst[begin], dst[begin], factor, static_cast<int32_t>(end - begin));
}

OPKIT_INLINE void welford_finalize_uniform(const LocalTensor<float>& out_mean,
                                           const LocalTensor<float>& out_variance,
                                           const LocalTensor<float>& mean,
                                           const LocalTensor<float>& m2,
                                           const LocalTensor<uint8_t>& tmp,
                                           const WelfordFinalizePara& p) {
  if (p.headCountLength + p.tailCountLength != p.abLength)
    return refuse_shape("WelfordFinalize", "headCountLength + tailCountLength must be abLength",
                        p.headCountLength + p.tailCountLength);
  if (p.tailCount == 0 && p.tailCountLength != 0)
    return refuse_shape("WelfordFinalize", "tailCountLength must be 0 if tailCount is 0",
                        p.tailCountLength);
  const uint32_t head = p.tailCountLength == 0 ? p.rnLength : p.headCount;
  const auto n = static_cast<int32_t>(p.abLength);
  welford_finalize(
      out_mean, out_variance, mean, m2, tmp, p,
      [&](const LocalTensor<float>& dst, const LocalTensor<float>& src,
          const LocalTensor<float>& t) {
        if (p.tailCountLength == 0 || p.headCountLength == 0) {
          Muls(dst, src, static_cast<float>(p.headCountLength == 0 ? p.tailCount : head), n);
          return;
        }
        Duplicate(t, 1.0f, n);
        Muls(t, t, static_cast<float>(head), static_cast<int32_t>(p.headCountLength));
        multiply_tail(t, p.headCountLength, p.abLength, static_cast<float>(p.tailCount));
        Mul(dst, src, t, n);
      });
}

OPKIT_INLINE void welford_finalize_counts(const LocalTensor<float>& out_mean,
                                          const LocalTensor<float>& out_variance,
                                          const LocalTensor<float>& mean,
                                          const LocalTensor<float>& m2,
                                          const LocalTensor<int32_t>& counts,
                                          const LocalTensor<uint8_t>& tmp,
                                          const WelfordFinalizePara& p) {
  const auto n = static_cast<int32_t>(p.abLength);
  welford_finalize(out_mean, out_variance, mean, m2, tmp, p,
                   [&](const LocalTensor<float>& dst, const LocalTensor<float>& src,
                       const LocalTensor<float>& t) {
                     Cast(t, counts, RoundMode::CAST_NONE, p.abLength);
                     Mul(dst, src, t, n);
                   });
}

}  // namespace detail

#define OPKIT_WELFORD(buffer, memory)                                                              \
  template <typename T, typename U, bool isReuseSource = false,                                    \
            const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>                              \
  OPKIT_INLINE void WelfordUpdate(                                                                 \
      const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,                      \
      const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance,                        \
      const LocalTensor<T>& inputX, buffer const WelfordUpdateParam& para) {                       \
    const detail::LibraryCall in_library("WelfordUpdate");                                         \
    static_assert(std::is_same<U, float>::value, "WelfordUpdate: means and variances are float");  \
    detail::welford_update<config.isInplace>(outputMean, outputVariance, inputMean, inputVariance, \
                                             inputX, memory, para);                                \
  }                                                                                                \
  template <bool isReuseSource = false,                                                            \
            const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>                          \
  OPKIT_INLINE void WelfordFinalize(                                                               \
      const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,              \
      const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,                \
      buffer const WelfordFinalizePara& para) {                                                    \
    const detail::LibraryCall in_library("WelfordFinalize");                                       \
    static_assert(!config.isCorrection,                                                            \
                  "WelfordFinalize corrects (isCorrection) on Ascend 950 only");                   \
    detail::welford_finalize_uniform(outputMean, outputVariance, inputMean, inputVariance, memory, \
                                     para);                                                        \
  }                                                                                                \
  template <bool isReuseSource = false,                                                            \
            const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>                          \
  OPKIT_INLINE void WelfordFinalize(                                                               \
      const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,              \
      const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,                \
      const LocalTensor<int32_t>& counts, buffer const WelfordFinalizePara& para) {                \
    const detail::LibraryCall in_library("WelfordFinalize");                                       \
    static_assert(!config.isCorrection,                                                            \
                  "WelfordFinalize corrects (isCorrection) on Ascend 950 only");                   \
    detail::welford_finalize_counts(outputMean, outputVariance, inputMean, inputVariance, counts,  \
                                    memory, para);                                                 \
  }
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
OPKIT_WELFORD(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_WELFORD(, detail::rest_of_ub())
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_WELFORD

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_WELFORD_H_
