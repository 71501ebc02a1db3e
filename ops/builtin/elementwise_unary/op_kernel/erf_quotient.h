// The error function: x times a quotient of two polynomials of x * x, whose coefficients were
// fitted for the least relative error, 2.1e-8, up to where the result is 1.
#ifndef ELEMENTWISE_UNARY_ERF_QUOTIENT_H_
#define ELEMENTWISE_UNARY_ERF_QUOTIENT_H_

#include "polynomial.h"

class ErfQuotient {
 public:
  static constexpr uint32_t kScratch = 2 * sizeof(float);            // bytes for each element
  static constexpr uint32_t kConstants = 2 * Polynomial<5>::kBytes;  // keep the coefficients in UB

  __aicore__ inline void Init(const AscendC::LocalTensor<float>& constants) {
    above_.Init(constants,
                {0.0535502769f, 7.52511406f, 100.661255f, 1397.64930f, 5063.23291f, 29826.2305f});
    below_.Init(constants[Polynomial<5>::kBytes / sizeof(float)],
                {1.0f, 30.9457722f, 397.950043f, 3028.14087f, 13298.0918f, 26432.8086f});
  }
  // y = erf(x); x is overwritten.
  __aicore__ inline void operator()(const AscendC::LocalTensor<float>& y,
                                    const AscendC::LocalTensor<float>& x,
                                    const AscendC::LocalTensor<uint8_t>& scratch,
                                    uint32_t count) const {
    constexpr float kFar = 3.95f;
    const AscendC::LocalTensor<float> square = scratch.ReinterpretCast<float>(),
                                      below = square[square.GetSize() / 2];
    AscendC::Mins(x, x, kFar, count);
    AscendC::Maxs(x, x, -kFar, count);
    AscendC::Mul(square, x, x, count);
    above_.At(y, square, count);
    below_.At(below, square, count);
    AscendC::Mul(y, y, x, count);
    AscendC::Div(y, y, below, count);
  }

 private:
  Polynomial<5> above_, below_;
};

#endif  // ELEMENTWISE_UNARY_ERF_QUOTIENT_H_
