// The most extreme elements of columns, and the lines in which they lie.
#ifndef ARG_EXTREME_WINNERS_H_
#define ARG_EXTREME_WINNERS_H_

#include "kernel_operator.h"
#include "search_tiling.h"

namespace search {

using namespace AscendC;

// Line 0 begins anew. A NaN is more extreme than every number.
template <bool kLargest>
class Winners {
 public:
  __aicore__ inline void Init(TPipe& pipe, uint32_t width, bool last) {
    last_ = last;
    pipe.InitBuffer(best_, width * sizeof(float));
    pipe.InitBuffer(places_, width * sizeof(int32_t));
    pipe.InitBuffer(line_, width * sizeof(int32_t));
    for (auto& bits : bits_) pipe.InitBuffer(bits, width / 8 > 32 ? width / 8 : 32);
  }

  // count: whole repeats.
  __aicore__ inline void Take(const LocalTensor<float>& x, int32_t line, uint32_t count) {
    const LocalTensor<float> best = best_.Get<float>();
    if (line == 0) {
      Muls(best, x, 1.0f, count);
      Duplicate(places_.Get<int32_t>(), 0, count);
      return;
    }
    const LocalTensor<uint8_t> keep = Keep(best, x, count);
    Duplicate(line_.Get<int32_t>(), line, count);
    const LocalTensor<float> places = places_.Get<float>();  // bits move
    Select(best, keep, best, x, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
    Select(places, keep, places, line_.Get<float>(), SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
  }

  // Returns the lines of the winners.
  __aicore__ inline LocalTensor<int32_t> Places() { return places_.Get<int32_t>(); }

  // Returns the place of the winner of all columns. place(line, column): where an element lies.
  template <typename Place>
  __aicore__ inline int64_t Best(uint32_t width, const Place& place) {
    const LocalTensor<float> best = best_.Get<float>();
    const LocalTensor<int32_t> lines = Places();
    float winner = best.GetValue(0);
    int64_t at = place(lines.GetValue(0), 0);
    for (uint32_t column = 1; column < width; ++column) {
      const float value = best.GetValue(column);
      const int64_t here = place(lines.GetValue(column), column);
      if (!Beats(value, winner) && (Beats(winner, value) || (here > at) != last_)) continue;
      winner = value;
      at = here;
    }
    return at;
  }

 private:
  // Where the winner stays: it is beyond x, or a NaN (and, of equals, not to give way to x).
  __aicore__ inline LocalTensor<uint8_t> Keep(const LocalTensor<float>& best,
                                              const LocalTensor<float>& x, uint32_t count) {
    const LocalTensor<uint8_t> keep = bits_[0].Get<uint8_t>(), nan = bits_[1].Get<uint8_t>(),
                               number = bits_[2].Get<uint8_t>();
    const uint32_t words = count / 16;
    Compare(nan, best, best, CMPMODE::NE, count);
    if (last_) {
      Compare(keep, x, best, kLargest ? CMPMODE::LT : CMPMODE::GT, count);
      Compare(number, x, x, CMPMODE::EQ, count);
      And(Words(nan), Words(nan), Words(number), words);
    } else {
      Compare(keep, x, best, kLargest ? CMPMODE::LE : CMPMODE::GE, count);
    }
    Or(Words(keep), Words(keep), Words(nan), words);
    return keep;
  }

  __aicore__ static inline LocalTensor<uint16_t> Words(const LocalTensor<uint8_t>& bits) {
    return bits.ReinterpretCast<uint16_t>();
  }

  __aicore__ static inline bool Beats(float a, float b) {
    if (a != a || b != b) return a != a && b == b;
    return kLargest ? a > b : a < b;
  }

  TBuf<TPosition::VECCALC> best_, places_, line_, bits_[3];
  bool last_ = false;
};

}  // namespace search

#endif  // ARG_EXTREME_WINNERS_H_
