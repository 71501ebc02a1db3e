// SiLU behind a convolution's sums (conv_bias.h).
#ifndef OPS_SHARED_SILU_AFTER_H_
#define OPS_SHARED_SILU_AFTER_H_

#include "sigmoid_tanh.h"

namespace conv_dense {

struct SiluAfter {
  static constexpr uint32_t kScratch = 2;
  __aicore__ inline void operator()(const AscendC::LocalTensor<float>& y,
                                    const AscendC::LocalTensor<float>& work, uint32_t count) const {
    bend::Sigmoid(y, work, work[count], true, count);
  }
};

}  // namespace conv_dense

#endif  // OPS_SHARED_SILU_AFTER_H_
