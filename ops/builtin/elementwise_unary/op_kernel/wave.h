// Sine and cosine of floats of any size, by arithmetic that every chip has.
#ifndef ELEMENTWISE_UNARY_WAVE_H_
#define ELEMENTWISE_UNARY_WAVE_H_

#include "elementwise.h"
#include "float_bits.h"
#include "wait_for.h"

namespace wave {

using namespace AscendC;
using float_bits::Bits;
using float_bits::Parts;
using float_bits::Round;

enum class Kind { kSine, kCosine };

// y = sin(x), or cos(x) = sin(x + pi / 2). First comes a number within pi / 2 of 0 that has the
// same sine, then a polynomial. T is the type of x in GM.
template <Kind kKind, typename T>
class Wave {
 public:
  static constexpr uint32_t kParts = 5;

  __aicore__ inline Wave(const LocalTensor<uint8_t>& scratch, uint32_t count)
      : count_(count), whole_repeats_(elementwise::WholeRepeats<float>(count)) {
    const Parts parts(scratch, kParts);
    p_ = parts[0];
    q_ = parts[1];
    part_ = parts[2];
    turns_ = Bits(parts[3]);
    near_ = parts[4].template ReinterpretCast<uint8_t>();
  }

  // x is kept.
  __aicore__ inline void operator()(const LocalTensor<float>& y,
                                    const LocalTensor<float>& x) const {
    BringNear(y, x);
    if constexpr (!kAllNear) {
      if (!(Largest(x) <= kNear)) BringFar(y, x);
    }
    Bend(y);
  }

 private:
  static constexpr float kNear = 65536.0f;  // half turns of 16 bits, with the half of the cosine
  static constexpr bool kAllNear = IsSameType<T, half>::value;
  static constexpr bool kCosine = kKind == Kind::kCosine;

  // r = x - h * pi, where h is whole, or a half more. The parts of pi have 8 bits, so that products
  // and, until the last ones, differences are exact. sin(x) is sin(r) for even h, cos(x) for odd
  // h - 1 / 2; else both have the other sign.
  __aicore__ inline void BringNear(const LocalTensor<float>& r, const LocalTensor<float>& x) const {
    constexpr float kHalfTurns = 0.318309873f, kHalf = 0.5f, kOdd = 4.0f;
    constexpr float kPi[] = {3.140625f, 9.651184082e-04f, 2.533197403e-06f, 1.984187259e-09f};
    Muls(p_, x, kHalfTurns, count_);
    if constexpr (kCosine) Adds(p_, p_, -kHalf, count_);
    Round(p_, p_, count_);
    Muls(part_, p_, kHalf, count_);
    if constexpr (kCosine) Adds(p_, p_, kHalf, count_);
    Muls(q_, p_, kPi[0], count_);
    Sub(r, x, q_, count_);
    for (uint32_t i = 1; i < 4; ++i) {
      Muls(q_, p_, kPi[i], count_);
      Sub(r, r, q_, count_);
    }
    Round(q_, part_, count_);
    Sub(q_, part_, q_, count_);
    Abs(q_, q_, count_);
    Muls(q_, q_, kCosine ? kOdd : -kOdd, count_);
    Adds(q_, q_, kCosine ? -1.0f : 1.0f, count_);
    Mul(r, r, q_, count_);
  }

  __aicore__ inline float Largest(const LocalTensor<float>& x) const {
    Abs(q_, x, count_);
    CompareScalar(near_, q_, kNear, CMPMODE::LE, whole_repeats_);
    ReduceMax(p_, q_, part_, static_cast<int32_t>(count_));
    WaitFor<HardEvent::V_S>();
    return p_.GetValue(0);
  }

  // Brings x near where it is not, from its turns in units of 2^-32: what is whole falls off at
  // the upper end.
  __aicore__ inline void BringFar(const LocalTensor<float>& r, const LocalTensor<float>& x) const {
    constexpr int32_t kQuarter = 0x40000000, kSign = 31;
    constexpr float kUnit = 7.314590600e-10f;  // is 2^-32 of a half turn
    Duplicate(turns_, kCosine ? kQuarter : 0, count_);
    AddTurns(x);
    ShiftLeft(p_.ReinterpretCast<uint32_t>(), turns_.ReinterpretCast<uint32_t>(), 1u, count_);
    ShiftRight(Bits(q_), Bits(p_), 1, count_);
    Sub(Bits(q_), turns_, Bits(q_), count_);
    ShiftRight(Bits(q_), Bits(q_), kSign, count_);
    Cast(q_, Bits(q_), RoundMode::CAST_NONE, count_);
    Muls(q_, q_, 2.0f, count_);
    Adds(q_, q_, 1.0f, count_);  // the sign: that of an odd half turn is -1
    Cast(p_, Bits(p_), RoundMode::CAST_RINT, count_);
    Muls(p_, p_, kUnit, count_);
    Mul(p_, p_, q_, count_);
    Sub(q_, x, x, count_);
    Add(p_, p_, q_, count_);  // infinities have no sine
    Select(r, near_, r, p_, SELMODE::VSEL_TENSOR_TENSOR_MODE, count_);
  }

  // x in two parts of 12 bits, 1 / (2 * pi) in pieces of 12: the products are exact.
  __aicore__ inline void AddTurns(const LocalTensor<float>& x) const {
    constexpr float kDown = 0x1p-96f;  // no product is too large or too small then
    constexpr int32_t kPart = 12;
    Muls(q_, x, kDown, count_);
    ShiftRight(Bits(part_), Bits(q_), kPart, count_);
    ShiftLeft(Bits(part_), Bits(part_), kPart, count_);
    AddProducts();
    Muls(q_, x, kDown, count_);
    Sub(part_, q_, part_, count_);
    AddProducts();
  }

  __aicore__ inline void AddProducts() const {
    constexpr float kPieces[] = {651,  3680, 3513, 913,  84,   2687, 157, 1524,
                                 2004, 3383, 1795, 1752, 2646, 1615, 270};
    constexpr float kStep = 0x1p-12f, kWhole = 0x1p30f, kUnits = 0x1p32f;
    float unit = 0x1p84f;
    for (const float piece : kPieces) {
      Muls(p_, part_, piece * unit, count_);
      Maxs(p_, p_, -kWhole, count_);
      Mins(p_, p_, kWhole, count_);
      Round(q_, p_, count_);
      Sub(p_, p_, q_, count_);
      Muls(p_, p_, kUnits, count_);
      Cast(Bits(p_), p_, RoundMode::CAST_RINT, count_);
      Add(turns_, turns_, Bits(p_), count_);
      unit *= kStep;
    }
  }

  // r becomes its sine, off by 3e-11 of it before roundings.
  __aicore__ inline void Bend(const LocalTensor<float>& r) const {
    constexpr float kSine[] = {-2.388775044e-08f, 2.752532055e-06f, -1.984086703e-04f,
                               8.333330974e-03f, -1.666666716e-01f};
    Mul(p_, r, r, count_);
    Muls(q_, p_, kSine[0], count_);
    for (uint32_t i = 1; i < 5; ++i) {
      Adds(q_, q_, kSine[i], count_);
      Mul(q_, q_, p_, count_);
    }
    Mul(q_, q_, r, count_);
    Add(r, r, q_, count_);
  }

  uint32_t count_, whole_repeats_;
  LocalTensor<float> p_, q_, part_;
  LocalTensor<int32_t> turns_;
  LocalTensor<uint8_t> near_;
};

}  // namespace wave

#endif  // ELEMENTWISE_UNARY_WAVE_H_
