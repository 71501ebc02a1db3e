// The most extreme elements of lanes over all chunks of lines, and where they lie.
#ifndef ARG_EXTREME_WINNERS_H_
#define ARG_EXTREME_WINNERS_H_

#include "layout.h"
#include "search_tiling.h"

namespace search {

using namespace AscendC;

// A NaN is more extreme than every number.
template <bool kLargest>
class Winners {
 public:
  __aicore__ inline void Init(TPipe& pipe, const SearchTiling& t) {
    last_ = t.last != 0;
    lanes_ = t.lanes;
    whole_ = layout::UpTo(t.lanes, kSearchRepeat);
    pipe.InitBuffer(best_, whole_ * sizeof(float));
    pipe.InitBuffer(places_, whole_ * sizeof(int32_t));
    pipe.InitBuffer(news_, whole_ * sizeof(int32_t));
    for (auto& bits : bits_) pipe.InitBuffer(bits, layout::UpTo(whole_ / 8, 32));
  }

  // Takes what lines from `first` on have: elements x, in lines counted from there. The first of
  // all lines begins anew.
  __aicore__ inline void Take(const LocalTensor<float>& x, const LocalTensor<float>& lines,
                              int32_t first) {
    const LocalTensor<float> best = best_.Get<float>();
    const LocalTensor<int32_t> places = Places(), news = news_.Get<int32_t>();
    Cast(first == 0 ? places : news, lines, RoundMode::CAST_RINT, lanes_);
    if (first == 0) {
      Muls(best, x, 1.0f, lanes_);
      return;
    }
    Adds(news, news, first, lanes_);
    const LocalTensor<uint8_t> keep = Keep(best, x);
    const LocalTensor<float> moved = places.template ReinterpretCast<float>();  // bits move
    Select(best, keep, best, x, SELMODE::VSEL_TENSOR_TENSOR_MODE, lanes_);
    Select(moved, keep, moved, news.template ReinterpretCast<float>(),
           SELMODE::VSEL_TENSOR_TENSOR_MODE, lanes_);
  }

  // Returns where the winners lie.
  __aicore__ inline LocalTensor<int32_t> Places() { return places_.Get<int32_t>(); }

  // Returns the place of the winner of every `step`-th of `count` lanes from `lane` on. start(i):
  // where lane i of them begins.
  template <typename Start>
  __aicore__ inline int64_t Best(uint32_t lane, uint32_t step, uint32_t count, const Start& start) {
    const LocalTensor<float> best = best_.Get<float>();
    float winner = best.GetValue(lane);
    int64_t at = start(0) + Places().GetValue(lane);
    for (uint32_t i = 1; i < count; ++i) {
      const float value = best.GetValue(lane + i * step);
      const int64_t here = start(i) + Places().GetValue(lane + i * step);
      if (!Beats(value, winner) && (Beats(winner, value) || (here > at) != last_)) continue;
      winner = value;
      at = here;
    }
    return at;
  }

 private:
  // Where the winner stays: it is beyond x, or a NaN (and, of equals, not to give way to x).
  __aicore__ inline LocalTensor<uint8_t> Keep(const LocalTensor<float>& best,
                                              const LocalTensor<float>& x) {
    const LocalTensor<uint8_t> keep = bits_[0].Get<uint8_t>(), nan = bits_[1].Get<uint8_t>(),
                               number = bits_[2].Get<uint8_t>();
    const uint32_t words = whole_ / 16;
    Compare(nan, best, best, CMPMODE::NE, whole_);
    if (last_) {
      Compare(keep, x, best, kLargest ? CMPMODE::LT : CMPMODE::GT, whole_);
      Compare(number, x, x, CMPMODE::EQ, whole_);
      And(Words(nan), Words(nan), Words(number), words);
    } else {
      Compare(keep, x, best, kLargest ? CMPMODE::LE : CMPMODE::GE, whole_);
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

  TBuf<TPosition::VECCALC> best_, places_, news_, bits_[3];
  uint32_t lanes_ = 0, whole_ = 0;
  bool last_ = false;
};

}  // namespace search

#endif  // ARG_EXTREME_WINNERS_H_
