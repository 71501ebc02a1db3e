// SiLU behind a convolution's sums (conv_bias.h).
#ifndef OPS_SHARED_SILU_AFTER_H_
#define OPS_SHARED_SILU_AFTER_H_

#include "kernel_operator.h"

namespace conv_dense {

struct SiluAfter {
  static constexpr uint32_t kScratch = 1;
  __aicore__ inline void operator()(const AscendC::LocalTensor<float>& y,
                                    const AscendC::LocalTensor<float>& work, uint32_t count) const {
    AscendC::Muls(work, y, -1.0f, count);
    AscendC::Exp(work, work, count);
    AscendC::Adds(work, work, 1.0f, count);
    AscendC::Div(y, y, work, count);
  }
};

}  // namespace conv_dense

#endif  // OPS_SHARED_SILU_AFTER_H_
