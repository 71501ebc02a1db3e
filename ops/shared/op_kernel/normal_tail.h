// What lies above a number under the normal distribution, of floats in UB by Exp and arithmetic
// alone, which every chip has; and what follows from it: GELU and the error function.
#ifndef OPS_SHARED_NORMAL_TAIL_H_
#define OPS_SHARED_NORMAL_TAIL_H_

#include "kernel_operator.h"

namespace normal {

using namespace AscendC;

constexpr float kFar = 15.0f;  // nothing lies above it: exp(-112.5) is 0

// y = 1 / 2 * erfc(a / sqrt(2)) for 0 <= a <= kFar; a is kept, work has as many elements. Nothing
// cancels: it is exp(-a * a / 2) times a rational function of a, whose coefficients were fitted for
// the least relative error, 6e-9.
__aicore__ inline void Tail(const LocalTensor<float>& y, const LocalTensor<float>& a,
                            const LocalTensor<float>& work, uint32_t count) {
  constexpr float kAbove[] = {0.0041533499f, 0.0408823974f, 0.183973566f, 0.439290404f, 0.5f};
  constexpr float kBelow[] = {0.0104107931f, 0.102483086f, 0.471420169f,
                              1.20556831f,   1.67646587f,  1.0f};
  Muls(y, a, kAbove[0], count);
  for (uint32_t i = 1; i < 4; ++i) {
    Adds(y, y, kAbove[i], count);
    Mul(y, y, a, count);
  }
  Adds(y, y, kAbove[4], count);
  Mul(work, a, a, count);
  Muls(work, work, -0.5f, count);
  Exp(work, work, count);
  Mul(y, y, work, count);
  Muls(work, a, kBelow[0], count);
  for (uint32_t i = 1; i < 5; ++i) {
    Adds(work, work, kBelow[i], count);
    Mul(work, work, a, count);
  }
  Adds(work, work, kBelow[5], count);
  Div(y, y, work, count);
}

// Returns one of several equal parts of a formula's memory.
__aicore__ inline LocalTensor<float> PartOf(const LocalTensor<uint8_t>& scratch, uint32_t parts,
                                            uint32_t index) {
  const LocalTensor<float> floats = scratch.ReinterpretCast<float>();
  return floats[floats.GetSize() / parts * index];
}

// y = x / 2 * (1 + erf(x / sqrt(2))) = max(x, 0) - |x| * Tail(|x|). x is overwritten; y may be x or
// the tail, else memory of its own like a and work.
__aicore__ inline void Gelu(const LocalTensor<float>& y, const LocalTensor<float>& x,
                            const LocalTensor<float>& tail, const LocalTensor<float>& a,
                            const LocalTensor<float>& work, uint32_t count) {
  Abs(a, x, count);
  Mins(a, a, kFar, count);
  Tail(tail, a, work, count);
  Muls(work, x, -1.0f, count);
  Max(a, a, work, count);  // |x|, and kFar for inf: the tail of -inf alone is no number
  Mul(tail, tail, a, count);
  Maxs(x, x, 0.0f, count);
  Sub(y, x, tail, count);
}

// y = erf(x): 1 - 2 * Tail(|x| * sqrt(2)) with the sign of x. x is overwritten.
__aicore__ inline void Erf(const LocalTensor<float>& y, const LocalTensor<float>& x,
                           const LocalTensor<float>& a, const LocalTensor<float>& work,
                           uint32_t count) {
  constexpr float kRootOfTwo = 1.41421356f, kSteep = 1e30f;
  Abs(a, x, count);
  Muls(a, a, kRootOfTwo, count);
  Mins(a, a, kFar, count);
  Tail(y, a, work, count);
  Muls(y, y, -2.0f, count);
  Adds(y, y, 1.0f, count);
  Muls(a, y, -1.0f, count);
  Muls(x, x, kSteep, count);  // beyond what erf is, on its side of 0
  Max(x, x, a, count);
  Min(y, x, y, count);
}

}  // namespace normal

#endif  // OPS_SHARED_NORMAL_TAIL_H_
