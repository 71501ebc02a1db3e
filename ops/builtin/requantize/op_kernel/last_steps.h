// What the ops of this family do at last: numbers in steps of y become whole ones.
#ifndef OPS_BUILTIN_REQUANTIZE_LAST_STEPS_H_
#define OPS_BUILTIN_REQUANTIZE_LAST_STEPS_H_

#include "elementwise.h"
#include "quantized.h"
#include "requantize_tiling.h"

namespace requant {

using namespace AscendC;

template <typename T>
__aicore__ inline float NumberAt(GM_ADDR address) {
  GlobalTensor<T> number;
  number.SetGlobalBuffer((__gm__ T*)address);
  return static_cast<float>(number.GetValue(0));
}

struct LastSteps {
  bool relu;
  float shift, offset;

  __aicore__ inline void operator()(const LocalTensor<half>& y, const LocalTensor<float>& x,
                                    uint32_t count) const {
    Adds(x, x, shift, count);
    if (relu) Relu(x, x, count);
    quantized::Round(x, offset, count);
    quantized::Narrow(y, x, count);
  }
};

}  // namespace requant

#endif  // OPS_BUILTIN_REQUANTIZE_LAST_STEPS_H_
