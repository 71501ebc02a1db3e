// Activations that an attribute names; op_host/activation_place.h gives their places.
#ifndef OPS_SHARED_ACTIVATION_H_
#define OPS_SHARED_ACTIVATION_H_

#include "sigmoid_tanh.h"

namespace bend {

// Others bend nothing; gelu_activation.h has two more.
constexpr uint32_t kRelu = 0, kSigmoid = 1, kTanh = 2, kSilu = 3;
constexpr uint32_t kActivationScratch = 2 * sizeof(float);  // bytes for each element

// x = act(x).
__aicore__ inline void Activate(uint32_t which, const LocalTensor<float>& x,
                                const LocalTensor<uint8_t>& scratch, uint32_t count) {
  if (which == kRelu) return Relu(x, x, count);
  const LocalTensor<float> rest = scratch.ReinterpretCast<float>(),
                           root = rest[(count + 7) / 8 * 8];
  if (which == kTanh) return Tanh(x, root, count);  // ends here: a step beyond is seen
  if (which == kSigmoid || which == kSilu) Sigmoid(x, root, rest, which == kSilu, count);
}

// The epilogue of a product (matmul_epilogue.h, conv.h).
struct ActivationEpilogue {
  static constexpr uint32_t kScratch = kActivationScratch;
  uint32_t which;

  __aicore__ inline void operator()(const LocalTensor<float>& sums,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    Activate(which, sums, scratch, count);
  }
};

}  // namespace bend

#endif  // OPS_SHARED_ACTIVATION_H_
