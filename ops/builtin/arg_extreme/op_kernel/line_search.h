// The most extreme element of each lane in some lines, and its line: the lines are folded onto one
// for the element, then the lines where it lies are folded onto the first of them.
#ifndef ARG_EXTREME_LINE_SEARCH_H_
#define ARG_EXTREME_LINE_SEARCH_H_

#include "layout.h"
#include "search_tiling.h"

namespace search {

using namespace AscendC;

// A NaN is more extreme than every number: Max and Min give NaN where one of two is.
template <bool kLargest>
class LineSearch {
 public:
  __aicore__ inline void Init(TPipe& pipe, const SearchTiling& t) {
    lanes_ = t.lanes;
    last_ = t.last != 0;
    pipe.InitBuffer(numbers_, t.tile * sizeof(float));
    pipe.InitBuffer(work_, t.tile * sizeof(float));
    pipe.InitBuffer(elements_, layout::UpTo(t.lanes, kSearchRepeat) * sizeof(float));
    for (auto& bits : bits_) pipe.InitBuffer(bits, t.tile / 8);
    NumberLines(t.chunk);
  }

  // x: lines of lanes, read as whole repeats.
  __aicore__ inline void Find(const LocalTensor<float>& x, uint32_t lines) {
    const LocalTensor<float> work = work_.Get<float>();
    const uint32_t half = (lines + 1) / 2;
    Extreme(work, x, x[(lines - half) * lanes_], half * lanes_);
    Fold(work, half, [](const auto&... operands) { Extreme(operands...); });
    Muls(elements_.Get<float>(), work, 1.0f, lanes_);
    Repeat(work, lines, [](const auto& to, const auto& from, uint32_t, uint32_t count) {
      Muls(to, from, 1.0f, count);
    });
    const LocalTensor<uint8_t> there = WhereEqual(x, work, lines);
    const float nowhere = last_ ? -1.0f : kFar;
    Select(work, there, numbers_.Get<float>(), nowhere, SELMODE::VSEL_TENSOR_SCALAR_MODE,
           Whole(lines));
    Fold(work, lines,
         [&](const auto&... operands) { last_ ? Max(operands...) : Min(operands...); });
  }

  // Returns the elements found, and the numbers of their lines.
  __aicore__ inline LocalTensor<float> Elements() { return elements_.Get<float>(); }
  __aicore__ inline LocalTensor<float> Lines() { return work_.Get<float>(); }

 private:
  static constexpr float kFar = 1e9f;  // lies behind all lines

  __aicore__ static inline void Extreme(const LocalTensor<float>& y, const LocalTensor<float>& a,
                                        const LocalTensor<float>& b, uint32_t count) {
    if constexpr (kLargest) {
      Max(y, a, b, count);
    } else {
      Min(y, a, b, count);
    }
  }

  __aicore__ inline uint32_t Whole(uint32_t lines) const {
    return layout::UpTo(lines * lanes_, kSearchRepeat);
  }

  // Line 0 of t becomes what call(y, a, b, count) makes of all lines.
  template <typename Call>
  __aicore__ inline void Fold(const LocalTensor<float>& t, uint32_t lines, const Call& call) const {
    while (lines > 1) {
      const uint32_t half = (lines + 1) / 2;
      call(t, t, t[half * lanes_], (lines - half) * lanes_);
      lines = half;
    }
  }

  // The lines behind line 0 are made of those before them, twice as many with every
  // call(to, from, lines before, count).
  template <typename Call>
  __aicore__ inline void Repeat(const LocalTensor<float>& t, uint32_t lines,
                                const Call& call) const {
    for (uint32_t done = 1; done < lines; done *= 2) {
      const uint32_t more = done < lines - done ? done : lines - done;
      call(t[done * lanes_], t, done, more * lanes_);
    }
  }

  __aicore__ inline void NumberLines(uint32_t lines) {
    const LocalTensor<float> numbers = numbers_.Get<float>();
    Duplicate(numbers, 0.0f, lanes_);
    Repeat(numbers, lines, [](const auto& to, const auto& from, uint32_t before, uint32_t count) {
      Adds(to, from, static_cast<float>(before), count);
    });
  }

  // Returns bits: x is the lane's extreme, or NaN.
  __aicore__ inline LocalTensor<uint8_t> WhereEqual(const LocalTensor<float>& x,
                                                    const LocalTensor<float>& extremes,
                                                    uint32_t lines) {
    const LocalTensor<uint8_t> equal = bits_[0].Get<uint8_t>(), nan = bits_[1].Get<uint8_t>();
    Compare(equal, x, extremes, CMPMODE::EQ, Whole(lines));
    Compare(nan, x, x, CMPMODE::NE, Whole(lines));
    const LocalTensor<uint16_t> words = equal.template ReinterpretCast<uint16_t>();
    Or(words, words, nan.template ReinterpretCast<uint16_t>(), Whole(lines) / 16);
    return equal;
  }

  TBuf<TPosition::VECCALC> numbers_, work_, elements_, bits_[2];
  uint32_t lanes_ = 0;
  bool last_ = false;
};

}  // namespace search

#endif  // ARG_EXTREME_LINE_SEARCH_H_
