// Activations that an attribute names; op_host/activation_place.h gives their places.
#ifndef OPS_SHARED_ACTIVATION_H_
#define OPS_SHARED_ACTIVATION_H_

#include "sigmoid_tanh.h"

namespace bend {

constexpr uint32_t kRelu = 0, kSigmoid = 1, kTanh = 2, kSilu = 3;  // others: none
constexpr uint32_t kActivationScratch = 2 * sizeof(float);         // bytes for each element

// x = act(x).
__aicore__ inline void Activate(uint32_t which, const LocalTensor<float>& x,
                                const LocalTensor<uint8_t>& scratch, uint32_t count) {
  if (which == kRelu) return Relu(x, x, count);
  const LocalTensor<float> work = scratch.ReinterpretCast<float>();
  if (which == kTanh) return Tanh(x, work, count);
  if (which != kSigmoid && which != kSilu) return;
  const LocalTensor<float> root = work[(count + 7) / 8 * 8];
  Sigmoid(x, root, work, which == kSilu, count);
}

}  // namespace bend

#endif  // OPS_SHARED_ACTIVATION_H_
