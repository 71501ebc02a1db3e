// The finish of a convolution that is normalised by statistics of its channels:
// after((sums - mean) * (scale / sqrt(variance + epsilon)) + bias). The tensors' order is scale,
// bias, mean, variance.
//
//   struct ReluAfter {
//     static constexpr uint32_t kScratch = 0;       // 1: `work` has room for a block
//     void operator()(y, work, count) const { Relu(y, y, count); }
//   };
#ifndef OPS_SHARED_CONV_BATCH_NORM_H_
#define OPS_SHARED_CONV_BATCH_NORM_H_

#include "conv_batch_norm_tiling.h"
#include "conv_dense.h"

namespace conv_dense {

template <typename After>
class BatchNormFinish {
 public:
  static constexpr uint32_t kVectors = 4, kNumbers = 4;

  __aicore__ inline BatchNormFinish(TPipe& pipe, const ConvBatchNormTiling& t)
      : epsilon_(t.epsilon) {
    const uint32_t block = static_cast<uint32_t>(t.conv.cube.baseM) * t.conv.cube.baseN;
    if constexpr (After::kScratch > 0) pipe.InitBuffer(work_, block * sizeof(float));
  }

  // Number 0 becomes the factor, number 1 what is added behind it.
  __aicore__ inline void Prepare(rows::Unit& unit) const {
    const LocalTensor<float> factor = unit.Number(kScale), addend = unit.Number(kBias),
                             mean = unit.Number(kMean), variance = unit.Number(kVariance);
    Adds(variance, variance, epsilon_, unit.Height());
    Sqrt(variance, variance, unit.Height());
    Div(factor, factor, variance, unit.Height());
    Mul(mean, mean, factor, unit.Height());
    Sub(addend, addend, mean, unit.Height());
  }
  __aicore__ inline void Apply(rows::Unit& unit, const LocalTensor<float>& sums,
                               uint32_t count) const {
    unit.MultiplyAdd(sums, kScale, kBias);
    if constexpr (After::kScratch > 0) {
      After()(sums, work_.Get<float>(), count);
    } else {
      After()(sums, sums, count);
    }
  }

 private:
  static constexpr uint32_t kScale = 0, kBias = 1, kMean = 2, kVariance = 3;

  float epsilon_;
  mutable TBuf<TPosition::VECCALC> work_;
};

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_BATCH_NORM_H_
