// What finishes the sums of a product of int8 that is int8 again: the activation, a factor, the
// nearest whole number, and an offset. The sums have been scaled before.
#ifndef OPS_SHARED_REQUANT_H_
#define OPS_SHARED_REQUANT_H_

#include "activation.h"
#include "quantized.h"

namespace bend {

struct Requant {
  uint32_t which;  // activation.h
  bool has_factor;
  float factor, offset;

  // Leaves whole numbers, which quantized::Narrow takes.
  __aicore__ inline void operator()(const LocalTensor<float>& x,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    Activate(which, x, scratch, count);
    Finish(x, count);
  }

  // Does what is behind the activation.
  __aicore__ inline void Finish(const LocalTensor<float>& x, uint32_t count) const {
    if (has_factor) Muls(x, x, factor, count);
    quantized::Round(x, offset, count);
  }
};

// The epilogue of a convolution (conv.h).
struct RequantEpilogue : Requant {
  static constexpr uint32_t kScratch = kActivationScratch;
};

template <typename T>
__aicore__ inline float FloatAt(GM_ADDR address) {
  GlobalTensor<T> number;
  number.SetGlobalBuffer((__gm__ T*)address);
  return static_cast<float>(number.GetValue(0));
}

__aicore__ inline Requant RequantOf(uint32_t which, bool has_factor, GM_ADDR factor,
                                    GM_ADDR offset) {
  return {which, has_factor, has_factor ? FloatAt<float>(factor) : 1.0f, FloatAt<int8_t>(offset)};
}

}  // namespace bend

#endif  // OPS_SHARED_REQUANT_H_
