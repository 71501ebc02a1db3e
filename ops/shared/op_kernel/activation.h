// Activations that an attribute names, without GELU, which gelu_activation.h adds.
#ifndef OPS_SHARED_ACTIVATION_H_
#define OPS_SHARED_ACTIVATION_H_

#include "activation_tiling.h"
#include "sigmoid_tanh.h"

namespace bend {

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
