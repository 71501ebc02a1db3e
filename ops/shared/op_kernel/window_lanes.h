// y's pixels from their windows, 16 planes at a time: an element of all windows of a tile is one
// instruction, for each block that a pixel has.
//
//   struct MaxFormula {
//     using Computed = T;                    // T or float
//     void Begin(const LaneTile& tile);
//     void Tap(y, x, Tap, Lanes);            // takes an element of some windows into y
//     void Finish(y, const LaneTile& tile, pitch, count);  // count elements, `pitch` pixels a row
//   };
#ifndef OPS_SHARED_WINDOW_LANES_H_
#define OPS_SHARED_WINDOW_LANES_H_

#include "lane_slab.h"

namespace window {

// Which element of the windows is taken, counted row by row, and which part of a pixel's lanes.
struct LaneTap {
  uint32_t element, part;
};

// What an instruction works on: lanes of a repeat, repeats, blocks from pixel to pixel. A repeat
// has eight pixels.
struct LaneRun {
  static constexpr uint32_t kPixels = 8;
  uint64_t lanes;
  uint8_t repeats, y_stride, x_stride;

  // y = call(x, x), and y = call(y, x).
  __aicore__ inline BinaryRepeatParams First() const {
    return {y_stride, x_stride, x_stride, Far(y_stride), Far(x_stride), Far(x_stride)};
  }
  __aicore__ inline BinaryRepeatParams Next() const {
    return {y_stride, y_stride, x_stride, Far(y_stride), Far(y_stride), Far(x_stride)};
  }
  // y and x with a block that all pixels have in common.
  __aicore__ inline BinaryRepeatParams WithBlock() const {
    return {y_stride, x_stride, 0, Far(y_stride), Far(x_stride), 0};
  }
  __aicore__ static inline uint8_t Far(uint8_t stride) {
    return static_cast<uint8_t>(kPixels * stride);
  }
};

// Calls call(first pixel of y, part, run) for `count` pixels of C; those of x lie `stride` pixels
// apart.
template <typename C, typename Call>
__aicore__ inline void EveryLaneRun(uint32_t count, uint32_t stride, const Call& call) {
  constexpr uint32_t kMostRepeats = 255, kBlock = 32 / sizeof(C), kParts = kLanes / kBlock;
  for (uint32_t done = 0; done < count;) {
    const uint32_t whole = Lesser((count - done) / LaneRun::kPixels, kMostRepeats);
    const uint32_t pixels = whole > 0 ? LaneRun::kPixels : count - done;
    const LaneRun run{uint64_t{pixels} * kBlock, static_cast<uint8_t>(whole > 0 ? whole : 1),
                      static_cast<uint8_t>(kParts), static_cast<uint8_t>(stride * kParts)};
    for (uint32_t part = 0; part < kParts; ++part) call(done, part, run);
    done += pixels * run.repeats;
  }
}

template <typename Formula, typename T>
class LaneKernel {
 public:
  // channels: planes of an image. fill: what stands in the padding.
  __aicore__ inline LaneKernel(const WindowTiling& t, uint32_t channels, TPipe& pipe, GM_ADDR x,
                               GM_ADDR y, T fill)
      : t_(t), channels_(channels), line_(t.pitch / t.stride_width) {
    y_.SetGlobalBuffer((__gm__ T*)y);
    slab_.Init(pipe, t, x, fill);
    pipe.InitBuffer(out_, kLaneBuffers, t.pixels * sizeof(T));
    pipe.InitBuffer(results_, t.pixels * sizeof(C));
    if constexpr (kWidens) pipe.InitBuffer(wide_, (t.slab + t.pitch * kLanes) * sizeof(C));
  }

  __aicore__ inline void Run(Formula& formula) {
    EveryLaneTile(t_, channels_, [&](const LaneTile& tile) { OneTile(formula, tile); });
  }

 private:
  using C = typename Formula::Computed;
  static constexpr bool kWidens = !IsSameType<T, C>::value;
  static constexpr uint32_t kBlock = 32 / sizeof(C);  // lanes of a block

  __aicore__ inline void OneTile(Formula& formula, const LaneTile& tile) {
    const LocalTensor<T> pixels = slab_.Bring(tile);
    LocalTensor<C> x;
    if constexpr (kWidens) {
      x = wide_.template Get<C>();
      Cast(x, pixels, RoundMode::CAST_NONE, (slab_.Count() + t_.pad_left) * kLanes);
    } else {
      x = pixels;
    }
    const LocalTensor<C> y = results_.template Get<C>();
    formula.Begin(tile);
    TakeWindows(formula, y, x, (tile.rows - 1) * line_ + t_.out_width);
    formula.Finish(y, tile, line_, tile.rows * line_ * kLanes);
    if constexpr (kWidens) {
      Cast(pixels, y, RoundMode::CAST_RINT, tile.rows * line_ * kLanes);
      Store(tile, pixels);
    } else {
      Store(tile, y);
    }
  }

  __aicore__ inline void TakeWindows(Formula& formula, const LocalTensor<C>& y,
                                     const LocalTensor<C>& x, uint32_t count) {
    uint32_t element = 0;
    for (uint32_t down = 0; down < t_.window_height; ++down) {
      for (uint32_t across = 0; across < t_.window_width; ++across, ++element) {
        const LocalTensor<C> tap = x[slab_.Place(down, across) * kLanes];
        EveryLaneRun<C>(count, t_.stride_width,
                        [&](uint32_t pixel, uint32_t part, const LaneRun& run) {
                          formula.Tap(y[pixel * kLanes + part * kBlock],
                                      tap[pixel * t_.stride_width * kLanes + part * kBlock],
                                      LaneTap{element, part}, run);
                        });
      }
    }
  }

  __aicore__ inline void Store(const LaneTile& tile, const LocalTensor<T>& pixels) {
    constexpr uint32_t kStored = 32 / sizeof(T);
    const uint32_t plane = t_.pixels / kLanes, width = t_.out_width;
    LocalTensor<T> out = out_.template AllocTensor<T>();
    PlaneLanes<T>::ToPlanes(out, pixels, plane, tile.rows * line_);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    const DataCopyExtParams copy{
        static_cast<uint16_t>(tile.rows), static_cast<uint32_t>(width * sizeof(T)),
        (line_ - (width + kStored - 1) / kStored * kStored) / kStored, 0, 0};
    for (uint32_t i = 0; i < tile.given; ++i)
      DataCopyPad(y_[((tile.plane + i) * t_.out_height + tile.row) * width], out[i * plane], copy);
    out_.FreeTensor(out);
  }

  const WindowTiling& t_;
  const uint32_t channels_, line_;  // line: pixels from row to row of y in UB
  LaneSlab<T> slab_;
  GlobalTensor<T> y_;
  TQue<QuePosition::VECOUT, kLaneBuffers> out_;
  TBuf<TPosition::VECCALC> results_, wide_;
};

}  // namespace window

#endif  // OPS_SHARED_WINDOW_LANES_H_
