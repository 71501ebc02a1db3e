// The two neighbours in x of each element of a row of y: where in UB they lie, for all rows of a
// tile, and what they weigh.
#ifndef RESIZE_NEIGHBOURS_H_
#define RESIZE_NEIGHBOURS_H_

#include "planes.h"

class Neighbours {
 public:
  __aicore__ inline void Init(AscendC::TPipe& pipe, const ResizeTiling& t) {
    t_ = &t;
    pipe.InitBuffer(below_, t.line * sizeof(int32_t));
    pipe.InitBuffer(rest_, t.line * sizeof(int32_t));
    for (auto& weights : weights_) pipe.InitBuffer(weights, t.line * sizeof(float));
    for (auto& places : places_)
      pipe.InitBuffer(places, t.tile_planes * t.tile_rows * t.line * sizeof(int32_t));
  }

  // Sets those of `columns` columns of y from `column` on, in rows of x from column `first` on.
  __aicore__ inline void Aim(const Axis& axis, uint32_t column, uint32_t columns, uint32_t first,
                             uint32_t rows) {
    const AscendC::LocalTensor<int32_t> below = below_.Get<int32_t>(), rest = rest_.Get<int32_t>();
    WriteLine([&] {
      for (uint32_t i = 0; i < t_->line; ++i) {
        const Axis::Fraction at = axis.At(column + (i < columns ? i : columns - 1));
        below.SetValue(i, at.below);
        rest.SetValue(i, at.rest);
      }
    });
    Weigh(rest, axis.Divisor());
    for (uint32_t side = 0; side < 2; ++side)
      Place(Places(side), below, static_cast<int32_t>(side), axis.Last(),
            static_cast<int32_t>(first), rows);
  }

  // Returns bytes.
  __aicore__ inline AscendC::LocalTensor<int32_t> Places(uint32_t side) {
    return places_[side].Get<int32_t>();
  }
  // Returns a line.
  __aicore__ inline AscendC::LocalTensor<float> Weights(uint32_t side) {
    return weights_[side].Get<float>();
  }

 private:
  // Each weight is rounded on its own: a difference to 1 would lose the digits of a small one.
  // Overwrites rest.
  __aicore__ inline void Weigh(const AscendC::LocalTensor<int32_t>& rest, int32_t divisor) {
    using namespace AscendC;
    const LocalTensor<float> first = Weights(0), second = Weights(1);
    const LocalTensor<float> whole = rest.ReinterpretCast<float>();
    Cast(second, rest, RoundMode::CAST_NONE, t_->line);
    Muls(rest, rest, -1, t_->line);
    Adds(rest, rest, divisor, t_->line);
    Cast(first, rest, RoundMode::CAST_NONE, t_->line);
    Duplicate(whole, static_cast<float>(divisor), t_->line);
    Div(first, first, whole, t_->line);
    Div(second, second, whole, t_->line);
  }

  // The rows behind the first one are made of those before them, twice as many with every call.
  __aicore__ inline void Place(const AscendC::LocalTensor<int32_t>& places,
                               const AscendC::LocalTensor<int32_t>& below, int32_t side,
                               int32_t last, int32_t first, uint32_t rows) {
    using namespace AscendC;
    constexpr auto kBytes = static_cast<int32_t>(sizeof(float));
    const uint32_t line = t_->line;
    Adds(places, below, side, line);
    Maxs(places, places, 0, line);
    Mins(places, places, last, line);
    Adds(places, places, -first, line);
    Muls(places, places, kBytes, line);
    for (uint32_t done = 1; done < rows; done *= 2)
      Adds(places[done * line], places, static_cast<int32_t>(done * t_->pitch) * kBytes,
           static_cast<uint32_t>(layout::Least(done, rows - done)) * line);
  }

  const ResizeTiling* t_ = nullptr;
  AscendC::TBuf<AscendC::TPosition::VECCALC> below_, rest_, weights_[2], places_[2];
};

#endif  // RESIZE_NEIGHBOURS_H_
