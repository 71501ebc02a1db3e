// int64 with another sign, by its words of 32 bits.
#ifndef ELEMENTWISE_UNARY_WIDE_SIGN_H_
#define ELEMENTWISE_UNARY_WIDE_SIGN_H_

#include "wide_words.h"

// y = -x (kAlways), or |x|; x is overwritten. Overflow wraps. A negated number has both words with
// another sign, and one less in the high word where the low one is not 0.
template <bool kAlways>
struct WideSign {
  static constexpr uint32_t kParts = 5, kScratch = kParts * sizeof(int32_t);

  __aicore__ inline void operator()(const wide::Wide& y, const wide::Wide& x,
                                    const AscendC::LocalTensor<uint8_t>& scratch,
                                    uint32_t count) const {
    using namespace AscendC;
    const wide::Parts parts(scratch, kParts);
    const wide::Words low = parts[0], high = parts[1], negates = parts[2], factor = parts[3],
                      other = parts[4];
    wide::Split(low, high, x, count);
    if constexpr (kAlways) {
      Duplicate(negates, -1, count);
    } else {
      ShiftRight(negates, high, wide::kSign, count);
    }
    Muls(factor, negates, 2, count);
    Adds(factor, factor, 1, count);
    Mul(other, low, factor, count);
    Mul(high, high, factor, count);
    Borrow(low, other, count);
    Mul(low, low, negates, count);
    Add(high, high, low, count);
    wide::Join(y, other, high, x, count);
  }

 private:
  // low = 1 where it is not 0 and `other` is its negative, else 0.
  __aicore__ static inline void Borrow(const wide::Words& low, const wide::Words& other,
                                       uint32_t count) {
    using namespace AscendC;
    const LocalTensor<uint16_t> halves = wide::HalvesOf(low);
    Or(halves, halves, wide::HalvesOf(other), wide::kWordsOf * count);
    const LocalTensor<uint32_t> bits = low.ReinterpretCast<uint32_t>();
    ShiftRight(bits, bits, static_cast<uint32_t>(wide::kSign), count);
  }
};

#endif  // ELEMENTWISE_UNARY_WIDE_SIGN_H_
