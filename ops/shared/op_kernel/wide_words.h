// int64 in UB by its words of 32 bits, which vector instructions compute: low and high words of
// `count` elements in two tensors, and back.
#ifndef OPS_SHARED_WIDE_WORDS_H_
#define OPS_SHARED_WIDE_WORDS_H_

#include "kernel_operator.h"

namespace wide {

using namespace AscendC;

using Words = LocalTensor<int32_t>;
using Wide = LocalTensor<int64_t>;

constexpr uint32_t kWordsOf = 2, kHalvesOf = 4;  // fill an element: 32 bits, 16 bits
constexpr int32_t kSign = 31;                    // bits behind that of a word

__aicore__ inline Words WordsOf(const Wide& x) { return x.ReinterpretCast<int32_t>(); }
template <typename T>
__aicore__ inline LocalTensor<uint16_t> HalvesOf(const LocalTensor<T>& x) {
  return x.template ReinterpretCast<uint16_t>();
}

// The words of x, in tensors that do not overlap it.
__aicore__ inline void Split(const Words& low, const Words& high, const Wide& x, uint32_t count) {
  constexpr uint8_t kEven = 1, kOdd = 2;  // elements
  const LocalTensor<uint32_t> words = x.ReinterpretCast<uint32_t>();
  uint64_t kept = 0;
  GatherMask(low.ReinterpretCast<uint32_t>(), words, kEven, true, kWordsOf * count,
             GatherMaskParams(1, 1, 8, 0), kept);
  GatherMask(high.ReinterpretCast<uint32_t>(), words, kOdd, true, kWordsOf * count,
             GatherMaskParams(1, 1, 8, 0), kept);
}

// Adds `words` times 2^kPower to z, of which the words that it meets are 0 there, or hold nothing
// but what fills it up. `words` is overwritten, and so is `more`.
template <int32_t kPower>
__aicore__ inline void AddPower(const Wide& z, const Words& words, const Wide& more,
                                uint32_t count) {
  constexpr auto kFactor = static_cast<float>(uint64_t{1} << kPower);
  const LocalTensor<float> numbers = words.ReinterpretCast<float>();
  Cast(numbers, words, RoundMode::CAST_RINT, count);
  Muls(numbers, numbers, kFactor, count);
  Cast(more, numbers, RoundMode::CAST_TRUNC, count);
  Add(WordsOf(z), WordsOf(z), WordsOf(more), kWordsOf * count);
}

// z of its words, which are overwritten, with an element of memory for each of z's. Conversions
// bring words to their places: that of the low one, and of both halves of the high one as floats.
__aicore__ inline void Join(const Wide& z, const Words& low, const Words& high, const Wide& more,
                            uint32_t count) {
  constexpr int32_t kHalf = 16;
  const Words part = WordsOf(more);
  Cast(z, low, RoundMode::CAST_NONE, count);
  ShiftRight(part, low, kSign, count);
  Sub(high, high, part, count);  // -1 stands in the high word already where the low one is negative
  ShiftRight(low, high, kHalf, count);
  const LocalTensor<uint32_t> shifted = part.ReinterpretCast<uint32_t>();
  ShiftLeft(shifted, low.ReinterpretCast<uint32_t>(), static_cast<uint32_t>(kHalf), count);
  Sub(high, high, part, count);  // 0 to 65535
  AddPower<2 * kHalf + kHalf>(z, low, more, count);
  AddPower<2 * kHalf>(z, high, more, count);
}

// carry = 1 where the sum of words without signs is beyond a word, else 0: the top bits of both,
// or of one of them and not of the sum. a and b are overwritten; carry may be none of the others.
__aicore__ inline void Carry(const Words& carry, const Words& a, const Words& b, const Words& sum,
                             uint32_t count) {
  const uint32_t halves = kWordsOf * count;
  const LocalTensor<uint16_t> both = HalvesOf(carry), x = HalvesOf(a), y = HalvesOf(b);
  And(both, x, y, halves);
  Or(x, x, y, halves);
  Not(y, HalvesOf(sum), halves);
  And(x, x, y, halves);
  Or(both, both, x, halves);
  const LocalTensor<uint32_t> bits = carry.ReinterpretCast<uint32_t>();
  ShiftRight(bits, bits, static_cast<uint32_t>(kSign), count);
}

// Words of a formula's own memory, in equal parts.
class Parts {
 public:
  __aicore__ inline Parts(const LocalTensor<uint8_t>& scratch, uint32_t parts)
      : words_(scratch.ReinterpretCast<int32_t>()), each_(words_.GetSize() / parts) {}

  __aicore__ inline Words operator[](uint32_t index) const { return words_[index * each_]; }

 private:
  Words words_;
  uint32_t each_;
};

// z = x + y; both are overwritten. Overflow wraps.
struct Sum {
  static constexpr uint32_t kParts = 6, kScratch = kParts * sizeof(int32_t);

  __aicore__ inline void operator()(const Wide& z, const Wide& x, const Wide& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const Parts parts(scratch, kParts);
    const Words a = parts[0], b = parts[1], high = parts[2], other = parts[3], low = parts[4],
                carry = parts[5];
    Split(a, high, x, count);
    Split(b, other, y, count);
    Add(low, a, b, count);
    Add(high, high, other, count);
    Carry(carry, a, b, low, count);
    Add(high, high, carry, count);
    Join(z, low, high, x, count);
  }
};

// z = x - y = -1 - (-1 - x + y); both are overwritten. Overflow wraps.
struct Difference {
  static constexpr uint32_t kScratch = Sum::kScratch;

  __aicore__ inline void operator()(const Wide& z, const Wide& x, const Wide& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    Not(HalvesOf(x), HalvesOf(x), kHalvesOf * count);
    Sum{}(z, x, y, scratch, count);
    Not(HalvesOf(z), HalvesOf(z), kHalvesOf * count);
  }
};

// z = x * y, the low 64 bits; both are overwritten. Digits of 16 bits multiply without loss.
struct Product {
  static constexpr uint32_t kParts = 4, kScratch = kParts * sizeof(int32_t);

  __aicore__ inline void operator()(const Wide& z, const Wide& x, const Wide& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const Parts parts(scratch, kParts);
    const Words low = parts[0], spare = parts[1], middle = parts[2], high = parts[3];
    const uint32_t half = WordsOf(x).GetSize() / kWordsOf;  // words
    const Words a1 = WordsOf(x), a0 = a1[half], b1 = WordsOf(y), b0 = b1[half];
    Split(low, spare, x, count);
    Split(middle, high, y, count);
    Mul(high, high, low, count);
    Mul(spare, spare, middle, count);
    Add(high, high, spare, count);
    Digits(a0, a1, low, count);
    Digits(b0, b1, middle, count);
    Mul(low, low, middle, count);
    Mul(spare, a1, b1, count);
    Add(high, high, spare, count);
    Mul(middle, a0, b0, count);
    ToRight(middle, middle, count);
    AddAcross(high, middle, a0, b1, WordsOf(z), count);
    AddAcross(high, middle, a1, b0, WordsOf(z), count);
    ToRight(middle, middle, count);
    Add(high, high, middle, count);
    Join(z, low, high, x, count);
  }

 private:
  static constexpr uint32_t kDigit = 16;  // bits

  __aicore__ static inline void ToRight(const Words& y, const Words& x, uint32_t count) {
    ShiftRight(y.ReinterpretCast<uint32_t>(), x.ReinterpretCast<uint32_t>(), kDigit, count);
  }
  // The lower and the upper digit of words.
  __aicore__ static inline void Digits(const Words& lower, const Words& upper, const Words& x,
                                       uint32_t count) {
    ToRight(upper, x, count);
    const LocalTensor<uint32_t> shifted = lower.ReinterpretCast<uint32_t>();
    ShiftLeft(shifted, upper.ReinterpretCast<uint32_t>(), kDigit, count);
    Sub(lower, x, lower, count);
  }
  // Adds the digits of a * b to the words that they belong to. memory: twice as many words.
  __aicore__ static inline void AddAcross(const Words& high, const Words& middle, const Words& a,
                                          const Words& b, const Words& memory, uint32_t count) {
    const uint32_t half = memory.GetSize() / kWordsOf;
    const Words lower = memory[half];
    Mul(memory, a, b, count);
    const Words product = memory, upper = a;
    ToRight(upper, product, count);
    Add(high, high, upper, count);
    ShiftLeft(lower.ReinterpretCast<uint32_t>(), upper.ReinterpretCast<uint32_t>(), kDigit, count);
    Sub(product, product, lower, count);
    Add(middle, middle, product, count);
  }
};

}  // namespace wide

#endif  // OPS_SHARED_WIDE_WORDS_H_
