// What remainders of floats have in common at the end.
#ifndef ELEMENTWISE_BINARY_REMAINDER_ENDS_H_
#define ELEMENTWISE_BINARY_REMAINDER_ENDS_H_

#include "elementwise.h"
#include "float_bits.h"

namespace modulo {

using namespace AscendC;
using float_bits::Bits;

// Memory that is free to be overwritten: two tensors of floats, and bits.
struct Spare {
  LocalTensor<float> p, q;
  LocalTensor<uint8_t> bits;
};

// Gives the remainder z of magnitudes the dividend's sign. It is the dividend itself when that is
// the smaller one, and no number where there is no remainder. y: the divisor's magnitude.
__aicore__ inline void Settle(const LocalTensor<float>& z, const LocalTensor<float>& x,
                              const LocalTensor<float>& y, const Spare& spare, uint32_t count) {
  constexpr float kLargest = 3.40282347e38f;
  constexpr int32_t kNotANumber = 0x7fc00000;
  const uint32_t whole = elementwise::WholeRepeats<float>(count);
  const auto choose = [&](const LocalTensor<float>& set, const LocalTensor<float>& clear) {
    Select(z, spare.bits, set, clear, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
  };
  CompareScalar(spare.bits, x, 0.0f, CMPMODE::LT, whole);
  Muls(spare.p, z, -1.0f, count);
  choose(spare.p, z);
  Abs(spare.p, x, count);
  Compare(spare.bits, spare.p, y, CMPMODE::LT, whole);
  choose(x, z);
  Duplicate(Bits(spare.q), kNotANumber, count);
  CompareScalar(spare.bits, spare.p, kLargest, CMPMODE::LE, whole);
  choose(z, spare.q);
  CompareScalar(spare.bits, y, 0.0f, CMPMODE::GT, whole);
  choose(z, spare.q);
}

}  // namespace modulo

#endif  // ELEMENTWISE_BINARY_REMAINDER_ENDS_H_
