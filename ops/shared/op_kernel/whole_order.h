// Order and equality of integers, by arithmetic of words that every chip has. Differences wrap, so
// signs decide where they tell.
#ifndef OPS_SHARED_WHOLE_ORDER_H_
#define OPS_SHARED_WHOLE_ORDER_H_

#include "elementwise.h"
#include "wide_words.h"

namespace whole {

using namespace AscendC;
using wide::HalvesOf;
using wide::Wide;
using wide::Words;

// result = words whose top bit says that x is below y, apart = x - y. The top bits of x and y are
// signs, or digits. `more` is overwritten, and result and more may be none of the others.
template <bool kSigned>
__aicore__ inline void Below(const Words& result, const Words& x, const Words& y,
                             const Words& apart, const Words& more, uint32_t count) {
  const uint32_t halves = wide::kWordsOf * count;
  const LocalTensor<uint16_t> kept = HalvesOf(kSigned ? x : y), turned = HalvesOf(more),
                              below = HalvesOf(result);
  Not(turned, HalvesOf(kSigned ? y : x), halves);
  And(below, kept, turned, halves);
  Or(turned, kept, turned, halves);
  And(turned, turned, HalvesOf(apart), halves);
  Or(below, below, turned, halves);
}

// The top bit of each word as 0 or 1.
__aicore__ inline void TakeTop(const Words& words, uint32_t count) {
  const LocalTensor<uint32_t> bits = words.ReinterpretCast<uint32_t>();
  ShiftRight(bits, bits, static_cast<uint32_t>(wide::kSign), count);
}

// below = words whose top bit says that an int64 is below another one, of both words of each.
__aicore__ inline void WideBelow(const Words& below, const Words& low, const Words& high,
                                 const Words& other_low, const Words& other_high,
                                 const Words& apart, const Words& more, uint32_t count) {
  Sub(apart, low, other_low, count);
  Below<false>(below, low, other_low, apart, more, count);
  TakeTop(below, count);
  Sub(apart, high, other_high, count);
  Sub(apart, apart, below, count);
  Below<true>(below, high, other_high, apart, more, count);
}

// z = 1 where x < y (kSwapped: y < x), else 0, or the contrary (kNegated). x and y are overwritten.
template <bool kSwapped, bool kNegated>
struct Order {
  __aicore__ inline void operator()(const LocalTensor<half>& z, const Words& x, const Words& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const wide::Parts parts(scratch, kParts);
    const Words &a = kSwapped ? y : x, &b = kSwapped ? x : y;
    const Words below = parts[0], apart = parts[1], more = parts[2];
    Sub(apart, a, b, count);
    Below<true>(below, a, b, apart, more, count);
    Tell(z, below, count);
  }

  __aicore__ inline void operator()(const LocalTensor<half>& z, const Wide& x, const Wide& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const wide::Parts parts(scratch, kWideParts);
    const Words low = parts[0], high = parts[1], other_low = parts[2], other_high = parts[3],
                below = parts[4], apart = parts[5], more = wide::WordsOf(x);
    wide::Split(low, high, kSwapped ? y : x, count);
    wide::Split(other_low, other_high, kSwapped ? x : y, count);
    WideBelow(below, low, high, other_low, other_high, apart, more, count);
    Tell(z, below, count);
  }

  static constexpr uint32_t kParts = 3, kWideParts = 6;

 private:
  __aicore__ static inline void Tell(const LocalTensor<half>& z, const Words& below,
                                     uint32_t count) {
    TakeTop(below, count);
    const LocalTensor<float> numbers = below.ReinterpretCast<float>();
    Cast(numbers, below, RoundMode::CAST_RINT, count);
    if constexpr (kNegated) {
      Muls(numbers, numbers, -1.0f, count);
      Adds(numbers, numbers, 1.0f, count);
    }
    Cast(z, numbers, RoundMode::CAST_RINT, count);
  }
};

// z = 1 where x == y, else 0: where no word differs, for a difference that is not 0 is none as a
// float either.
struct Same {
  __aicore__ inline void operator()(const LocalTensor<half>& z, const Words& x, const Words& y,
                                    const LocalTensor<uint8_t>& bits, uint32_t count) const {
    const LocalTensor<float> apart = y.ReinterpretCast<float>();
    Sub(x, x, y, count);
    Cast(apart, x, RoundMode::CAST_RINT, count);
    Tell(z, apart, bits, count);
  }

  __aicore__ inline void operator()(const LocalTensor<half>& z, const Wide& x, const Wide& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const wide::Parts parts(scratch, kWideParts);
    const Words low = parts[0], high = parts[1];
    const LocalTensor<float> apart = low.ReinterpretCast<float>(),
                             more = high.ReinterpretCast<float>();
    Sub(wide::WordsOf(x), wide::WordsOf(x), wide::WordsOf(y), wide::kWordsOf * count);
    wide::Split(low, high, x, count);
    Cast(apart, low, RoundMode::CAST_RINT, count);
    Cast(more, high, RoundMode::CAST_RINT, count);
    Abs(apart, apart, count);
    Abs(more, more, count);
    Add(apart, apart, more, count);
    Tell(z, apart, y.ReinterpretCast<uint8_t>(), count);
  }

  static constexpr uint32_t kParts = 1, kWideParts = 2;

 private:
  __aicore__ static inline void Tell(const LocalTensor<half>& z, const LocalTensor<float>& apart,
                                     const LocalTensor<uint8_t>& bits, uint32_t count) {
    Duplicate(z, static_cast<half>(1), count);
    CompareScalar(bits, apart, 0.0f, CMPMODE::EQ, elementwise::WholeRepeats<float>(count));
    Select(z, bits, z, static_cast<half>(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
  }
};

// The formula for elements of type T, with its memory.
template <typename T, typename How>
struct Of : How {
  static constexpr uint32_t kWhole = IsSameType<T, int64_t>::value ? How::kWideParts : How::kParts;
  static constexpr uint32_t kScratch = kWhole * sizeof(int32_t);
};

template <typename T>
constexpr bool kIs = IsSameType<T, int32_t>::value || IsSameType<T, int64_t>::value;

}  // namespace whole

#endif  // OPS_SHARED_WHOLE_ORDER_H_
