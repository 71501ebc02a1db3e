// Remainders of divisions of integers, by arithmetic that every chip has.
#ifndef ELEMENTWISE_BINARY_REMAINDER_OF_WHOLES_H_
#define ELEMENTWISE_BINARY_REMAINDER_OF_WHOLES_H_

#include "elementwise.h"
#include "float_bits.h"

namespace modulo {

using namespace AscendC;
using float_bits::Bits;
using float_bits::Parts;

// Divides whole numbers; with a divisor of 0 the result is 0. Magnitudes are kept negative: the
// lowest number has none of its own. Quotients are never above the true one, so that nothing
// overflows.
class OfWholes {
 public:
  static constexpr uint32_t kParts = 3;

  __aicore__ inline OfWholes(const LocalTensor<uint8_t>& scratch, uint32_t count) : count_(count) {
    const Parts parts(scratch, kParts);
    divisor_ = Bits(parts[0]);
    p_ = parts[1];
    q_ = parts[2];
  }

  // z = x - y * (x / y without its fraction). x is overwritten.
  __aicore__ inline void WithDividend(const LocalTensor<int32_t>& z, const LocalTensor<int32_t>& x,
                                      const LocalTensor<int32_t>& y) const {
    Divide(z, x, y);
    TakeSign(z, x);
  }

  // z = x - y * (x / y rounded down). x and y are overwritten.
  __aicore__ inline void WithDivisor(const LocalTensor<int32_t>& z, const LocalTensor<int32_t>& x,
                                     const LocalTensor<int32_t>& y) const {
    Divide(z, x, y);
    const LocalTensor<int32_t> p = Bits(p_), q = Bits(q_);
    ShiftRight(p, x, kSign, count_);
    ShiftRight(q, y, kSign, count_);
    Sub(p, p, q, count_);
    Mul(p, p, p, count_);  // 1 where the signs differ
    ShiftRight(q, z, kSign, count_);
    Mul(p, p, q, count_);  // -1 where something is left, too: what lacks to the divisor
    Sub(q, divisor_, z, count_);
    Sub(q, q, z, count_);
    Mul(q, q, p, count_);
    Sub(z, z, q, count_);
    TakeSign(z, y);
  }

 private:
  static constexpr int32_t kSign = 31;  // bits behind it

  __aicore__ inline void Divide(const LocalTensor<int32_t>& z, const LocalTensor<int32_t>& x,
                                const LocalTensor<int32_t>& y) const {
    MakeNegative(divisor_, y);
    Mins(divisor_, divisor_, -1, count_);
    MakeNegative(z, x);
    TakeOut(z);  // leaves some divisors, for a quotient has 24 bits,
    TakeOut(z);  // then at most one,
    const LocalTensor<int32_t> q = Bits(q_);
    Sub(q, divisor_, z, count_);
    ShiftRight(q, q, kSign, count_);
    Adds(q, q, 1, count_);
    Mul(q, q, divisor_, count_);
    Sub(z, z, q, count_);  // and none
  }

  __aicore__ inline void MakeNegative(const LocalTensor<int32_t>& y,
                                      const LocalTensor<int32_t>& x) const {
    Muls(Bits(q_), x, -1, count_);
    Min(y, x, Bits(q_), count_);
  }

  __aicore__ inline void TakeOut(const LocalTensor<int32_t>& z) const {
    constexpr float kLess = 1.0f - 1.0f / 2097152.0f;  // more than roundings can add
    Cast(p_, divisor_, RoundMode::CAST_RINT, count_);
    Cast(q_, z, RoundMode::CAST_RINT, count_);
    Div(q_, q_, p_, count_);
    Muls(q_, q_, kLess, count_);
    Cast(Bits(q_), q_, RoundMode::CAST_TRUNC, count_);
    Mul(Bits(q_), Bits(q_), divisor_, count_);
    Sub(z, z, Bits(q_), count_);
  }

  // The sign of `from`, which is overwritten, instead of the negative one.
  __aicore__ inline void TakeSign(const LocalTensor<int32_t>& z,
                                  const LocalTensor<int32_t>& from) const {
    ShiftRight(from, from, kSign, count_);
    Muls(from, from, -2, count_);
    Adds(from, from, -1, count_);
    Mul(z, z, from, count_);
  }

  uint32_t count_;
  LocalTensor<int32_t> divisor_;
  LocalTensor<float> p_, q_;
};

// The kernel's formula: kRemainder is a function of OfWholes. int16 comes as float.
template <auto kRemainder>
struct Wholes {
  static constexpr uint32_t kScratch = OfWholes::kParts * sizeof(float);

  __aicore__ inline void operator()(const LocalTensor<int32_t>& z, const LocalTensor<int32_t>& x,
                                    const LocalTensor<int32_t>& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    (OfWholes(scratch, count).*kRemainder)(z, x, y);
  }
  __aicore__ inline void operator()(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                    const LocalTensor<float>& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    Cast(Bits(x), x, RoundMode::CAST_RINT, count);
    Cast(Bits(y), y, RoundMode::CAST_RINT, count);
    (*this)(Bits(z), Bits(x), Bits(y), scratch, count);
    Cast(z, Bits(z), RoundMode::CAST_NONE, count);
  }
};
template <typename T>
using ComputedWhole =
    typename Std::conditional<IsSameType<T, int32_t>::value, int32_t, float>::type;

}  // namespace modulo

#endif  // ELEMENTWISE_BINARY_REMAINDER_OF_WHOLES_H_
