// The mean of every window, in lanes: sums of its elements over how many they are.
#ifndef POOL_MEAN_OF_LANES_H_
#define POOL_MEAN_OF_LANES_H_

#include "window_lanes.h"

class MeanOfLanes {
 public:
  using Computed = float;

  // all: elements of a window; 0: those that lie in the image count.
  __aicore__ inline MeanOfLanes(const WindowTiling& t, float all, AscendC::TPipe& pipe)
      : t_(t), all_(all) {
    pipe.InitBuffer(divisors_, t.pixels * sizeof(float));
    if (all > 0.0f) AscendC::Duplicate(divisors_.Get<float>(), all, t.pixels);
  }

  __aicore__ inline void Begin(const window::LaneTile&) const {}
  __aicore__ inline void Tap(const AscendC::LocalTensor<float>& sums,
                             const AscendC::LocalTensor<float>& x, const window::LaneTap& tap,
                             const window::LaneRun& run) const {
    using namespace AscendC;
    if (tap.element == 0) {
      Adds(sums, x, 0.0f, run.lanes, run.repeats,
           UnaryRepeatParams(run.y_stride, run.x_stride, run.Far(run.y_stride),
                             run.Far(run.x_stride)));
    } else {
      Add(sums, sums, x, run.lanes, run.repeats, run.Next());
    }
  }
  __aicore__ inline void Finish(const AscendC::LocalTensor<float>& sums,
                                const window::LaneTile& tile, uint32_t pitch, uint32_t count) {
    if (all_ == 0.0f) CountElements(tile, pitch);
    AscendC::Div(sums, sums, divisors_.Get<float>(), count);
  }

 private:
  // Counts the elements of a window in the image, down or across.
  __aicore__ static inline uint32_t Inside(uint32_t place, uint32_t stride, uint32_t pad,
                                           uint32_t window, uint32_t size) {
    const uint32_t begin = place * stride, first = begin > pad ? begin : pad;
    const uint32_t end = window::Lesser(begin + window, pad + size);
    return end > first ? end - first : 1;
  }
  __aicore__ inline uint32_t Across(uint32_t column) const {
    return Inside(column, t_.stride_width, t_.pad_left, t_.window_width, t_.width);
  }

  // Tiles of other planes have the same divisors.
  __aicore__ inline void CountElements(const window::LaneTile& tile, uint32_t pitch) {
    if (counted_ && tile.row == row_) return;
    counted_ = true;
    row_ = tile.row;
    for (uint32_t row = 0; row < tile.rows; ++row)
      CountRow(divisors_.Get<float>()[row * pitch * window::kLanes],
               Inside(tile.row + row, t_.stride_height, t_.pad_top, t_.window_height, t_.height),
               pitch);
  }

  // Windows of neighbouring columns that have as many elements are one run.
  __aicore__ inline void CountRow(const AscendC::LocalTensor<float>& divisors, uint32_t down,
                                  uint32_t pitch) {
    for (uint32_t column = 0; column < pitch;) {
      const uint32_t across = Across(column);
      uint32_t end = column + 1;
      while (end < pitch && (end >= t_.out_width || Across(end) == across)) ++end;
      AscendC::Duplicate(divisors[column * window::kLanes], static_cast<float>(down * across),
                         (end - column) * window::kLanes);
      column = end;
    }
  }

  const WindowTiling& t_;
  const float all_;
  AscendC::TBuf<AscendC::TPosition::VECCALC> divisors_;
  bool counted_ = false;
  uint32_t row_ = 0;
};

#endif  // POOL_MEAN_OF_LANES_H_
