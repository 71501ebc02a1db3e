// Remainders of divisions of floats, exact for every quotient, by arithmetic that every chip has.
#ifndef ELEMENTWISE_BINARY_REMAINDER_OF_FLOATS_H_
#define ELEMENTWISE_BINARY_REMAINDER_OF_FLOATS_H_

#include "elementwise.h"
#include "remainder_ends.h"
#include "wait_for.h"

namespace modulo {

using namespace AscendC;
using float_bits::Bits;
using float_bits::kFraction;
using float_bits::Parts;
using float_bits::PowerOfTwo;
using float_bits::Round;

// Divides floats. Magnitudes are m * 2^(e - 150) with whole m below 2^24. What is left of the
// dividend's m times 2 to the difference of both e comes from long division with digits of 11 bits,
// each to the nearest: products and differences of a step are whole numbers below 2^24, hence
// exact, whatever the last bits of a quotient were.
class OfFloats {
 public:
  static constexpr uint32_t kParts = 7;

  __aicore__ inline OfFloats(const LocalTensor<uint8_t>& scratch, uint32_t count)
      : count_(count), whole_repeats_(elementwise::WholeRepeats<float>(count)) {
    const Parts parts(scratch, kParts);
    divisor_ = parts[0];
    high_ = parts[1];
    low_ = parts[2];
    left_ = parts[3];
    exponent_ = parts[4];
    p_ = parts[5];
    q_ = parts[6];
  }

  // z = x - y * (x / y without its fraction). y becomes its magnitude.
  __aicore__ inline void operator()(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                    const LocalTensor<float>& y) const {
    Abs(y, y, count_);
    SetDivisor(y);
    Abs(p_, x, count_);
    Split(z, left_, p_);
    Sub(left_, left_, exponent_, count_);
    Divide(z);
    Scale(z);
    Settle(z, x, y, {p_, q_, low_.template ReinterpretCast<uint8_t>()}, count_);
  }

 private:
  static constexpr float kLeastNormal = 1.17549435e-38f;
  static constexpr float kDigit = 11.0f;
  static constexpr uint32_t kMostDigits = 26;  // 278 bits from the least float to the largest

  // a = m * 2^(e - 150), a is not negative.
  __aicore__ inline void Split(const LocalTensor<float>& m, const LocalTensor<float>& e,
                               const LocalTensor<float>& a) const {
    ShiftRight(Bits(e), Bits(a), kFraction, count_);
    Maxs(Bits(e), Bits(e), 1, count_);
    Adds(Bits(m), Bits(e), -1, count_);
    ShiftLeft(Bits(m), Bits(m), kFraction, count_);
    Sub(Bits(m), Bits(a), Bits(m), count_);
    Cast(m, Bits(m), RoundMode::CAST_NONE, count_);
    Cast(e, Bits(e), RoundMode::CAST_NONE, count_);
  }

  // The divisor's m from 2^23 on, in two parts of 12 bits.
  __aicore__ inline void SetDivisor(const LocalTensor<float>& y) const {
    constexpr float kMore = 24.0f, kScale = 16777216.0f, kHalves = 4097.0f;
    const LocalTensor<uint8_t> small = high_.template ReinterpretCast<uint8_t>();
    CompareScalar(small, y, kLeastNormal, CMPMODE::LT, whole_repeats_);
    Muls(low_, y, kScale, count_);
    Choose(low_, small, low_, y);
    Split(divisor_, exponent_, low_);
    Adds(low_, exponent_, -kMore, count_);
    Choose(exponent_, small, low_, exponent_);
    Muls(high_, divisor_, kHalves, count_);
    Sub(low_, high_, divisor_, count_);
    Sub(high_, high_, low_, count_);
    Sub(low_, divisor_, high_, count_);
  }

  __aicore__ inline void Divide(const LocalTensor<float>& z) const {
    const float most = MostBitsLeft();
    TakeDigit(z);
    for (uint32_t digit = 0; digit < kMostDigits && most > digit * kDigit; ++digit) {
      Maxs(p_, left_, 0.0f, count_);
      Mins(p_, p_, kDigit, count_);
      Sub(left_, left_, p_, count_);
      PowerOfTwo(p_, count_);
      Mul(z, z, p_, count_);
      TakeDigit(z);
    }
  }

  __aicore__ inline float MostBitsLeft() const {
    ReduceMax(p_, left_, q_, static_cast<int32_t>(count_));
    WaitFor<HardEvent::V_S>();
    return p_.GetValue(0);
  }

  // Leaves between -1/2 and 1/2 of the divisor.
  __aicore__ inline void TakeDigit(const LocalTensor<float>& z) const {
    Div(p_, z, divisor_, count_);
    Round(p_, p_, count_);
    Mul(q_, p_, high_, count_);
    Sub(z, z, q_, count_);
    Mul(q_, p_, low_, count_);
    Sub(z, z, q_, count_);
  }

  // From the divisor's m back to where it lies, by two factors: one would be too small a number.
  __aicore__ inline void Scale(const LocalTensor<float>& z) const {
    constexpr float kUnit = -150.0f, kHalf = 0.5f;
    const LocalTensor<uint8_t> negative = low_.template ReinterpretCast<uint8_t>();
    CompareScalar(negative, z, 0.0f, CMPMODE::LT, whole_repeats_);
    Add(p_, z, divisor_, count_);
    Choose(z, negative, p_, z);
    Adds(exponent_, exponent_, kUnit, count_);
    Muls(p_, exponent_, kHalf, count_);
    Round(p_, p_, count_);
    Sub(exponent_, exponent_, p_, count_);
    PowerOfTwo(p_, count_);
    PowerOfTwo(exponent_, count_);
    Mul(z, z, p_, count_);
    Mul(z, z, exponent_, count_);
  }

  __aicore__ inline void Choose(const LocalTensor<float>& z, const LocalTensor<uint8_t>& bits,
                                const LocalTensor<float>& set,
                                const LocalTensor<float>& clear) const {
    Select(z, bits, set, clear, SELMODE::VSEL_TENSOR_TENSOR_MODE, count_);
  }

  uint32_t count_, whole_repeats_;
  LocalTensor<float> divisor_, high_, low_;  // high_ + low_ = divisor_
  LocalTensor<float> left_;                  // bits of the dividend to come
  LocalTensor<float> exponent_, p_, q_;
};

// The kernel's formula.
struct Floats {
  static constexpr uint32_t kScratch = OfFloats::kParts * sizeof(float);

  __aicore__ inline void operator()(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                    const LocalTensor<float>& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    OfFloats(scratch, count)(z, x, y);
  }
};

}  // namespace modulo

#endif  // ELEMENTWISE_BINARY_REMAINDER_OF_FLOATS_H_
