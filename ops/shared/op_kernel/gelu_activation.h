// Activations that an attribute names, GELU by erf and by tanh among them, which takes more memory.
#ifndef OPS_SHARED_GELU_ACTIVATION_H_
#define OPS_SHARED_GELU_ACTIVATION_H_

#include "activation.h"
#include "gelu_erf.h"
#include "gelu_tanh.h"

namespace bend {

// x = act(x).
__aicore__ inline void ActivateOrGelu(uint32_t which, const LocalTensor<float>& x,
                                      const LocalTensor<uint8_t>& scratch, uint32_t count) {
  if (which == kGeluTanh) return GeluTanh()(x, scratch.ReinterpretCast<float>(), count);
  if (which != kGelu) return Activate(which, x, scratch, count);
  const LocalTensor<float> work = scratch.ReinterpretCast<float>();
  const uint32_t part = work.GetSize() / 3;  // the last one is for constants
  GeluErf gelu;
  gelu.Init(work[2 * part]);
  gelu(x, work, work[part], count);
}

}  // namespace bend

#endif  // OPS_SHARED_GELU_ACTIVATION_H_
