// Activations of a layer of a network, in float.
#ifndef OPS_SHARED_BENDING_H_
#define OPS_SHARED_BENDING_H_

#include "bending_tiling.h"
#include "sigmoid_tanh.h"

namespace bend {

// T: of what becomes of the floats.
template <typename T>
struct Bending {
  uint32_t which;
  float least, most, alpha;

  // x = act(x); work: twice as many floats, the second half `room` floats behind the first.
  __aicore__ inline void operator()(const LocalTensor<float>& x, const LocalTensor<float>& work,
                                    uint32_t room, uint32_t count) const {
    if (which == kBendRelu) {
      Relu(x, x, count);
    } else if (which == kBendClip) {
      Maxs(x, x, least, count);
      Mins(x, x, most, count);
    } else if (which == kBendLeaky) {
      LeakyRelu(x, x, alpha, count);
    } else if (which == kBendSilu) {
      Silu(x, work, room, count);
    } else if (which == kBendHardSwish) {
      Muls(work, x, 1.0f / 6.0f, count);
      Adds(work, work, 0.5f, count);
      Maxs(work, work, 0.0f, count);
      Mins(work, work, 1.0f, count);
      Mul(x, x, work, count);
    }
  }

 private:
  // x = x * sigmoid(x). Where exp(-x) overflows, the result is zero in float16, but not in float.
  __aicore__ inline static void Silu(const LocalTensor<float>& x, const LocalTensor<float>& work,
                                     uint32_t room, uint32_t count) {
    if constexpr (IsSameType<T, float>::value) {
      Sigmoid(x, work, work[room], true, count);
    } else {
      Muls(work, x, -1.0f, count);
      Exp(work, work, count);
      Adds(work, work, 1.0f, count);
      Div(x, x, work, count);
    }
  }
};

}  // namespace bend

#endif  // OPS_SHARED_BENDING_H_
