// GELU in the form with erf, of Exp and arithmetic alone: x times the probability that a normal
// variable is below it, which is 1 / (1 + exp(-g(x))). g is odd; g(x) / x is near to a polynomial
// of x * x of degree 6, whose coefficients were fitted for the least error of the result, 1.1e-7.
// Beyond where they were fitted, |x| > 5.3, the polynomial only grows: what is left of the result,
// below 3e-7, goes to 0.
#ifndef OPS_SHARED_GELU_ERF_H_
#define OPS_SHARED_GELU_ERF_H_

#include "polynomial.h"

class GeluErf {
 public:
  static constexpr uint32_t kConstants = Polynomial<6>::kBytes;  // keep the coefficients in UB

  // Fills the constants; called once, or when the memory was used for something else.
  __aicore__ inline void Init(const AscendC::LocalTensor<float>& constants) {
    negative_.Init(constants, {-3.26155569e-9f, 2.52571340e-7f, -7.72613203e-6f, 1.09061162e-4f,
                               7.06328356e-5f, -0.0726741403f, -1.59576631f});
  }
  // x in place; two tensors of work have as many elements each.
  __aicore__ inline void operator()(const AscendC::LocalTensor<float>& x,
                                    const AscendC::LocalTensor<float>& divisor,
                                    const AscendC::LocalTensor<float>& square,
                                    uint32_t count) const {
    Divisor(divisor, x, square, count);
    AscendC::Div(x, x, divisor, count);
  }
  // x is kept.
  __aicore__ inline void To(const AscendC::LocalTensor<float>& y,
                            const AscendC::LocalTensor<float>& x,
                            const AscendC::LocalTensor<float>& square, uint32_t count) const {
    Divisor(y, x, square, count);
    AscendC::Div(y, x, y, count);
  }

 private:
  __aicore__ inline void Divisor(const AscendC::LocalTensor<float>& y,
                                 const AscendC::LocalTensor<float>& x,
                                 const AscendC::LocalTensor<float>& square, uint32_t count) const {
    AscendC::Mul(square, x, x, count);
    negative_.At(y, square, count);
    AscendC::Mul(y, y, x, count);
    AscendC::Exp(y, y, count);
    AscendC::Adds(y, y, 1.0f, count);
  }

  Polynomial<6> negative_;  // -g(x) / x
};

#endif  // OPS_SHARED_GELU_ERF_H_
