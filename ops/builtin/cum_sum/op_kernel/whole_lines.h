// Sums of integers along rows, which lie one behind the other: added up by the scalar unit, whose
// integers have 64 bits.
#ifndef CUM_SUM_WHOLE_LINES_H_
#define CUM_SUM_WHOLE_LINES_H_

#include "cum_sum_tiling.h"
#include "kernel_operator.h"
#include "layout.h"
#include "wait_for.h"

template <typename Whole>
class WholeLines {
 public:
  using Tensor = AscendC::LocalTensor<Whole>;

  __aicore__ inline explicit WholeLines(const CumSumTiling& t) : t_(t) {}

  __aicore__ inline void Run(GM_ADDR x, GM_ADDR y) {
    x_.SetGlobalBuffer((__gm__ Whole*)x);
    y_.SetGlobalBuffer((__gm__ Whole*)y);
    pipe_.InitBuffer(in_, layout::kBuffers, t_.width * sizeof(Whole));
    pipe_.InitBuffer(out_, layout::kBuffers, t_.width * sizeof(Whole));
    const uint64_t first = layout::Least(t_.outer, AscendC::GetBlockIdx() * t_.core_units);
    const uint64_t end = layout::Least(t_.outer, first + t_.core_units);
    const uint64_t count = (end - first) * t_.terms, tiles = (count + t_.width - 1) / t_.width;
    term_ = t_.reverse != 0 ? t_.terms - 1 : 0;
    for (uint64_t i = 0; i < tiles; ++i) {
      const uint64_t at = (t_.reverse != 0 ? tiles - 1 - i : i) * t_.width;
      OneTile(first * t_.terms + at, static_cast<uint32_t>(layout::Least(t_.width, count - at)));
    }
  }

 private:
  __aicore__ inline void OneTile(uint64_t at, uint32_t count) {
    const layout::Rows<Whole> moved(1, count, count, count);
    Tensor in = in_.template AllocTensor<Whole>();
    moved.Load(in, x_[at]);
    in_.EnQue(in);
    in = in_.template DeQue<Whole>();
    Tensor out = out_.template AllocTensor<Whole>();
    WaitFor<AscendC::HardEvent::V_S>();
    AddUp(out, in, count);
    WaitFor<AscendC::HardEvent::S_V>();
    in_.FreeTensor(in);
    out_.EnQue(out);
    out = out_.template DeQue<Whole>();
    moved.Store(y_[at], out);
    out_.FreeTensor(out);
  }

  // Goes on where the tile before it in the order of the sums ended.
  __aicore__ inline void AddUp(const Tensor& out, const Tensor& in, uint32_t count) {
    const bool reverse = t_.reverse != 0, exclusive = t_.exclusive != 0;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t place = reverse ? count - 1 - i : i;
      const uint64_t before = sum_;
      sum_ += static_cast<uint64_t>(static_cast<int64_t>(in.GetValue(place)));
      Tensor(out).SetValue(place, static_cast<Whole>(exclusive ? before : sum_));
      EndTerm(reverse);
    }
  }
  __aicore__ inline void EndTerm(bool reverse) {
    const uint64_t last = reverse ? 0 : t_.terms - 1;
    if (term_ == last) {
      term_ = reverse ? t_.terms - 1 : 0;
      sum_ = 0;
    } else {
      term_ += reverse ? -1 : 1;
    }
  }

  const CumSumTiling& t_;
  AscendC::TPipe pipe_;
  AscendC::GlobalTensor<Whole> x_, y_;
  AscendC::TQue<AscendC::QuePosition::VECIN, layout::kBuffers> in_;
  AscendC::TQue<AscendC::QuePosition::VECOUT, layout::kBuffers> out_;
  uint64_t sum_ = 0, term_ = 0;  // hold what this row has so far; overflow wraps
};

#endif  // CUM_SUM_WHOLE_LINES_H_
