// GELU in the form with tanh, of Exp alone, which every chip has:
// x / 2 * (1 + tanh(u)) = x / (1 + exp(-2 * u)) with u = sqrt(2 / pi) * (x + 0.044715 * x^3).
#ifndef OPS_SHARED_GELU_TANH_H_
#define OPS_SHARED_GELU_TANH_H_

#include "kernel_operator.h"

struct GeluTanh {
  // x in place; work has as many elements.
  __aicore__ inline void operator()(const AscendC::LocalTensor<float>& x,
                                    const AscendC::LocalTensor<float>& work, uint32_t count) const {
    Divisor(work, x, count);
    AscendC::Div(x, x, work, count);
  }
  // x is kept.
  __aicore__ static inline void To(const AscendC::LocalTensor<float>& y,
                                   const AscendC::LocalTensor<float>& x, uint32_t count) {
    Divisor(y, x, count);
    AscendC::Div(y, x, y, count);
  }

 private:
  __aicore__ static inline void Divisor(const AscendC::LocalTensor<float>& y,
                                        const AscendC::LocalTensor<float>& x, uint32_t count) {
    constexpr float kCubic = -0.0713548163f;   // -2 * sqrt(2 / pi) * 0.044715
    constexpr float kLinear = -1.5957691216f;  // -2 * sqrt(2 / pi)
    AscendC::Mul(y, x, x, count);
    AscendC::Muls(y, y, kCubic, count);
    AscendC::Adds(y, y, kLinear, count);
    AscendC::Mul(y, y, x, count);
    AscendC::Exp(y, y, count);
    AscendC::Adds(y, y, 1.0f, count);
  }
};

#endif  // OPS_SHARED_GELU_TANH_H_
