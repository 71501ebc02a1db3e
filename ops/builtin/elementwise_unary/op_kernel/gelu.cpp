// y = x / 2 * (1 + erf(x / sqrt(2))), element by element.
#include "gelu_erf.h"
#include "unary.h"

struct Formula : GeluErf {
  static constexpr uint32_t kScratch = sizeof(float);
  __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    To(y, x, scratch.ReinterpretCast<float>(), count);
  }
};
UNARY_ENTRY(gelu_op, Formula, float)
