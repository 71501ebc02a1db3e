// Powers of floats by arithmetic, Exp and Ln, which every chip has.
#ifndef ELEMENTWISE_BINARY_POWER_H_
#define ELEMENTWISE_BINARY_POWER_H_

#include "elementwise.h"
#include "float_bits.h"

namespace power {

using namespace AscendC;
using float_bits::Bits;
using float_bits::kFraction;
using float_bits::Parts;
using float_bits::PowerOfTwo;
using float_bits::Round;

// x^y = 2^(y * log2|x|), with the sign that whole y give. The logarithm and its product are sums of
// two floats, with 30 bits that count: the power magnifies what the logarithm is off by.
class ByHand {
 public:
  static constexpr uint32_t kParts = 7;

  __aicore__ inline ByHand(const LocalTensor<uint8_t>& scratch, uint32_t count)
      : count_(count), whole_repeats_(elementwise::WholeRepeats<float>(count)) {
    const Parts parts(scratch, kParts);
    p_ = parts[0];
    q_ = parts[1];
    r_ = parts[2];
    s_ = parts[3];
    t_ = parts[4];
    u_ = parts[5];
    v_ = parts[6];
    bits_ = v_.template ReinterpretCast<uint8_t>();
  }

  // x and y are kept.
  __aicore__ inline void operator()(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                    const LocalTensor<float>& y) const {
    TakeApart(x);
    FindQuotient(z);
    FindLogarithm(z);
    Raise(z, y);
    SetEnds(z, x, y);
    SetSign(z, x, y);
  }

 private:
  // |x| = p * 2^q, p from the root of 1 / 2 to that of 2.
  __aicore__ inline void TakeApart(const LocalTensor<float>& x) const {
    constexpr float kLeastNormal = 0x1p-126f, kMore = 24.0f, kUp = 0x1p24f;
    constexpr int32_t kRootOfHalf = 0x3f3504f3;
    Abs(q_, x, count_);
    CompareScalar(bits_, q_, kLeastNormal, CMPMODE::LT, whole_repeats_);
    Muls(p_, q_, kUp, count_);
    Choose(p_, p_, q_);
    Adds(Bits(q_), Bits(p_), -kRootOfHalf, count_);
    ShiftRight(Bits(q_), Bits(q_), kFraction, count_);
    ShiftLeft(Bits(r_), Bits(q_), kFraction, count_);
    Sub(Bits(p_), Bits(p_), Bits(r_), count_);
    Cast(q_, Bits(q_), RoundMode::CAST_NONE, count_);
    Adds(r_, q_, -kMore, count_);
    Choose(q_, r_, q_);
  }

  // t = (p - 1) / (p + 1) = u + r, where u has 12 bits. z is overwritten.
  __aicore__ inline void FindQuotient(const LocalTensor<float>& z) const {
    Adds(r_, p_, -1.0f, count_);
    Adds(s_, p_, 1.0f, count_);
    Div(t_, r_, s_, count_);
    TakeUpperBits(u_, t_);
    TakeUpperBits(v_, s_);
    Mul(z, u_, v_, count_);
    Sub(r_, r_, z, count_);
    Adds(v_, v_, -1.0f, count_);
    Sub(v_, p_, v_, count_);
    Mul(v_, v_, u_, count_);
    Sub(r_, r_, v_, count_);
    Div(r_, r_, s_, count_);
  }

  // log2|x| = q + 2 / ln(2) * artanh(t) = u + r, where u has 12 bits. z is overwritten.
  __aicore__ inline void FindLogarithm(const LocalTensor<float>& z) const {
    constexpr float kSeries[] = {1.179088056e-01f, 1.426866651e-01f, 2.000016719e-01f,
                                 3.333333135e-01f};  // off by 5e-12
    constexpr float kFactor = 2.885390043e+00f, kHigh = 2.884765625e+00f, kLow = 6.244567921e-04f;
    Mul(v_, t_, t_, count_);
    Muls(z, v_, kSeries[0], count_);
    for (uint32_t i = 1; i < 4; ++i) {
      Adds(z, z, kSeries[i], count_);
      Mul(z, z, v_, count_);
    }
    Mul(z, z, t_, count_);
    Add(r_, r_, z, count_);
    Muls(r_, r_, kFactor, count_);
    Muls(z, u_, kLow, count_);
    Add(r_, r_, z, count_);
    Muls(u_, u_, kHigh, count_);
    Add(z, q_, u_, count_);
    Sub(q_, z, q_, count_);
    Sub(u_, u_, q_, count_);
    Add(r_, r_, u_, count_);  // log2|x| = z + r
    Add(u_, z, r_, count_);
    TakeUpperBits(u_, u_);
    Sub(z, z, u_, count_);
    Add(r_, z, r_, count_);
  }

  // z = 2^(y * (u + r)).
  __aicore__ inline void Raise(const LocalTensor<float>& z, const LocalTensor<float>& y) const {
    constexpr float kHalf = 0.5f;
    TakeUpperBits(s_, y);
    Sub(t_, y, s_, count_);
    Mul(t_, t_, u_, count_);
    Mul(r_, r_, y, count_);
    Add(r_, r_, t_, count_);
    Mul(s_, s_, u_, count_);  // the exponent is s + r
    Round(t_, s_, count_);
    Sub(s_, s_, t_, count_);
    RaiseFraction(z);
    Muls(s_, t_, kHalf, count_);  // two factors: one would be too small or too large a number
    Round(s_, s_, count_);
    Sub(t_, t_, s_, count_);
    PowerOfTwo(s_, count_);
    PowerOfTwo(t_, count_);
    Mul(z, z, s_, count_);
    Mul(z, z, t_, count_);
  }

  // z = 2^(s + r) = e^(u + r') = 1 + u + r'', rounded once: whole results are exact.
  __aicore__ inline void RaiseFraction(const LocalTensor<float>& z) const {
    constexpr float kLn2 = 6.931471825e-01f, kHigh = 6.931152344e-01f, kLow = 3.194618330e-05f;
    constexpr float kSeries[] = {1.992965845e-04f, 1.394853578e-03f, 8.333249018e-03f,
                                 4.166631028e-02f, 1.666666716e-01f, 0.5f};  // off by 4e-9
    TakeUpperBits(p_, s_);
    Sub(s_, s_, p_, count_);
    Add(r_, r_, s_, count_);
    Muls(u_, p_, kHigh, count_);
    Muls(p_, p_, kLow, count_);
    Muls(r_, r_, kLn2, count_);
    Add(r_, r_, p_, count_);
    Add(p_, u_, r_, count_);
    Muls(q_, p_, kSeries[0], count_);
    for (uint32_t i = 1; i < 6; ++i) {
      Adds(q_, q_, kSeries[i], count_);
      Mul(q_, q_, p_, count_);
    }
    Mul(q_, q_, p_, count_);
    Add(r_, r_, q_, count_);
    Adds(z, u_, 1.0f, count_);
    Adds(q_, z, -1.0f, count_);
    Sub(q_, u_, q_, count_);
    Add(r_, r_, q_, count_);
    Add(z, z, r_, count_);
  }

  // Exp and Ln say what infinities, 0, NaN and numbers beyond give; 1 where x or -x is 1 or y is 0.
  __aicore__ inline void SetEnds(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 const LocalTensor<float>& y) const {
    constexpr float kBeyond = 110.0f;  // both ends of float lie nearer
    Abs(s_, x, count_);
    Ln(p_, s_, count_);
    Mul(p_, p_, y, count_);
    Abs(q_, p_, count_);
    CompareScalar(bits_, q_, kBeyond, CMPMODE::LT, whole_repeats_);
    Exp(p_, p_, count_);
    Choose(z, z, p_);
    Duplicate(p_, 1.0f, count_);
    CompareScalar(bits_, s_, 1.0f, CMPMODE::EQ, whole_repeats_);
    Choose(z, p_, z);
    CompareScalar(bits_, y, 0.0f, CMPMODE::EQ, whole_repeats_);
    Choose(z, p_, z);
  }

  // Negative x: the other sign for odd y, no number for y that are not whole. s is |x|.
  __aicore__ inline void SetSign(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 const LocalTensor<float>& y) const {
    constexpr float kEven = 0x1p24f;  // like everything above it
    constexpr float kHalf = 0.5f, kTwice = 4.0f, kLargest = 0x1.fffffep127f;
    constexpr int32_t kSign = 31, kNotANumber = 0x7fc00000;
    Duplicate(t_, 0.0f, count_);
    Abs(p_, y, count_);
    Mins(p_, p_, kEven, count_);
    Round(q_, p_, count_);
    Sub(q_, p_, q_, count_);  // 0 for whole y
    Muls(p_, p_, kHalf, count_);
    Round(r_, p_, count_);
    Sub(p_, p_, r_, count_);
    Abs(p_, p_, count_);
    Muls(p_, p_, kTwice, count_);  // 2 for odd y
    CompareScalar(bits_, q_, 0.0f, CMPMODE::EQ, whole_repeats_);
    Choose(p_, p_, t_);
    ShiftRight(Bits(r_), Bits(x), kSign, count_);
    Cast(r_, Bits(r_), RoundMode::CAST_NONE, count_);  // -1 with a sign, of 0, too
    Mul(p_, p_, r_, count_);
    Adds(p_, p_, 1.0f, count_);
    Mul(z, z, p_, count_);
    CompareScalar(bits_, x, 0.0f, CMPMODE::LT, whole_repeats_);
    Choose(q_, q_, t_);
    CompareScalar(bits_, s_, kLargest, CMPMODE::LE, whole_repeats_);
    Choose(q_, q_, t_);
    CompareScalar(bits_, q_, 0.0f, CMPMODE::EQ, whole_repeats_);
    Duplicate(Bits(t_), kNotANumber, count_);
    Choose(z, z, t_);
  }

  __aicore__ inline void Choose(const LocalTensor<float>& z, const LocalTensor<float>& set,
                                const LocalTensor<float>& clear) const {
    Select(z, bits_, set, clear, SELMODE::VSEL_TENSOR_TENSOR_MODE, count_);
  }

  // The first 12 of 24: products of two such numbers are exact.
  __aicore__ inline void TakeUpperBits(const LocalTensor<float>& y,
                                       const LocalTensor<float>& x) const {
    constexpr int32_t kRest = 12;
    ShiftRight(Bits(y), Bits(x), kRest, count_);
    ShiftLeft(Bits(y), Bits(y), kRest, count_);
  }

  uint32_t count_, whole_repeats_;
  LocalTensor<float> p_, q_, r_, s_, t_, u_, v_;
  LocalTensor<uint8_t> bits_;  // lies in v
};

}  // namespace power

#endif  // ELEMENTWISE_BINARY_POWER_H_
