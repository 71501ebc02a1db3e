// Remainders of divisions of halves, exact for every quotient, in float.
#ifndef ELEMENTWISE_BINARY_REMAINDER_OF_HALVES_H_
#define ELEMENTWISE_BINARY_REMAINDER_OF_HALVES_H_

#include "remainder_ends.h"

namespace modulo {

using float_bits::Round;

// Halves have 11 bits that count and lie between 2^-24 and 2^16: three digits of a quotient, each
// to the nearest, have 13 bits at most (those of a subnormal divisor, with fewer bits, one more).
// So the products with the divisor are exact in float, and the differences, too.
struct Halves {
  static constexpr uint32_t kParts = 3;
  static constexpr uint32_t kScratch = kParts * sizeof(float);

  // y becomes its magnitude.
  __aicore__ inline void operator()(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                    const LocalTensor<float>& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    constexpr float kScales[] = {0x1p26f, 0x1p13f};
    const float_bits::Parts parts(scratch, kParts);
    const Spare spare{parts[0], parts[1], parts[2].ReinterpretCast<uint8_t>()};
    Abs(y, y, count);
    Abs(z, x, count);
    for (const float scale : kScales) {
      Muls(spare.q, y, scale, count);
      TakeDigit(z, spare.q, spare.p, count);
    }
    TakeDigit(z, y, spare.p, count);
    CompareScalar(spare.bits, z, 0.0f, CMPMODE::LT, elementwise::WholeRepeats<float>(count));
    Add(spare.p, z, y, count);
    Select(z, spare.bits, spare.p, z, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
    Settle(z, x, y, spare, count);
  }

 private:
  // Leaves between -1/2 and 1/2 of the divisor.
  __aicore__ inline static void TakeDigit(const LocalTensor<float>& z,
                                          const LocalTensor<float>& divisor,
                                          const LocalTensor<float>& digit, uint32_t count) {
    Div(digit, z, divisor, count);
    Round(digit, digit, count);
    Mul(digit, digit, divisor, count);
    Sub(z, z, digit, count);
  }
};

}  // namespace modulo

#endif  // ELEMENTWISE_BINARY_REMAINDER_OF_HALVES_H_
