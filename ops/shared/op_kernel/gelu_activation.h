// Activations that an attribute names, GELU by erf and by tanh among them, which takes more memory.
#ifndef OPS_SHARED_GELU_ACTIVATION_H_
#define OPS_SHARED_GELU_ACTIVATION_H_

#include "activation.h"
#include "gelu_tanh.h"
#include "normal_tail.h"

namespace bend {

// x = act(x).
__aicore__ inline void ActivateOrGelu(uint32_t which, const LocalTensor<float>& x,
                                      const LocalTensor<uint8_t>& scratch, uint32_t count) {
  if (which == kGeluTanh) return GeluTanh()(x, scratch.ReinterpretCast<float>(), count);
  if (which != kGelu) return Activate(which, x, scratch, count);
  const auto part = [&](uint32_t index) { return normal::PartOf(scratch, 3, index); };
  normal::Gelu(x, x, part(0), part(1), part(2), count);
}

}  // namespace bend

#endif  // OPS_SHARED_GELU_ACTIVATION_H_
