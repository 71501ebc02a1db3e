// Sigmoid and tanh of floats in UB by Exp alone, which every chip has. Nothing overflows.
#ifndef OPS_SHARED_SIGMOID_TANH_H_
#define OPS_SHARED_SIGMOID_TANH_H_

#include "kernel_operator.h"

namespace bend {

using namespace AscendC;

// x = sigmoid(x), or x * sigmoid(x). root, rest: room for as many floats.
// sigmoid(x) = root * root / rest with root = exp(min(x, 0) / 2) and rest = 1 + exp(-|x|): the root
// is no subnormal number where sigmoid is.
__aicore__ inline void Sigmoid(const LocalTensor<float>& x, const LocalTensor<float>& root,
                               const LocalTensor<float>& rest, bool times_x, uint32_t count) {
  Mins(root, x, 0.0f, count);
  Muls(root, root, 0.5f, count);
  Exp(root, root, count);
  Abs(rest, x, count);
  Muls(rest, rest, -1.0f, count);
  Exp(rest, rest, count);
  Adds(rest, rest, 1.0f, count);
  if (!times_x) Duplicate(x, 1.0f, count);
  Mul(x, x, root, count);
  Mul(x, x, root, count);
  Div(x, x, rest, count);
}

// x = tanh(x) = (1 - exp(-2 * x)) / (1 + exp(-2 * x)). Below -20 it is -1, and exp might overflow.
__aicore__ inline void Tanh(const LocalTensor<float>& x, const LocalTensor<float>& work,
                            uint32_t count) {
  Maxs(x, x, -20.0f, count);
  Muls(work, x, -2.0f, count);
  Exp(work, work, count);
  Muls(x, work, -1.0f, count);
  Adds(x, x, 1.0f, count);
  Adds(work, work, 1.0f, count);
  Div(x, x, work, count);
}

}  // namespace bend

#endif  // OPS_SHARED_SIGMOID_TANH_H_
