// Sums of a convolution with the bias of their channel, and what follows: after(sums, count).
//
//   struct ReluAfter {
//     void operator()(sums, count) const { Relu(sums, sums, count); }
//   };
#ifndef OPS_SHARED_CONV_CHANNEL_BIAS_H_
#define OPS_SHARED_CONV_CHANNEL_BIAS_H_

#include "conv_dense.h"
#include "conv_planes.h"

namespace conv_dense {

struct NothingAfter {
  __aicore__ inline void operator()(const LocalTensor<float>&, uint32_t) const {}
};

// Finishes a block, a channel to a row: a finish of conv_dense.h.
template <typename After>
struct BlockBias {
  static constexpr uint32_t kVectors = 1, kNumbers = 1;
  bool has_bias;
  After after;

  __aicore__ inline void Prepare(rows::Unit&) const {}
  __aicore__ inline void Apply(rows::Unit& unit, const LocalTensor<float>& sums,
                               uint32_t count) const {
    if (has_bias) unit.Increase(sums, sums, 0);
    after(sums, count);
  }
};

// Finishes one channel: what conv_planes.h calls.
template <typename After, typename T>
struct PlaneBias {
  bool has_bias;
  After after;
  GlobalTensor<T> bias;

  __aicore__ inline void operator()(const LocalTensor<float>& sums, uint64_t channel,
                                    uint32_t count) const {
    if (has_bias) Adds(sums, sums, static_cast<float>(bias.GetValue(channel)), count);
    after(sums, count);
  }
};

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_CHANNEL_BIAS_H_
