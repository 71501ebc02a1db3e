// Convolutions whose channels of y see one channel of x each, on the vector unit: sums over the
// taps of windows (window.h), each times its number of the filter.
#ifndef OPS_SHARED_CONV_PLANES_H_
#define OPS_SHARED_CONV_PLANES_H_

#include "conv_dense_tiling.h"
#include "lane_filters.h"
#include "window.h"

namespace conv_dense {

using namespace AscendC;

// After: what becomes of the sums of a channel, `after(sums, channel, count)`.
template <typename After, typename T>
class PlaneFormula {
 public:
  using Computed = float;
  static constexpr bool kCounts = false;

  __aicore__ inline PlaneFormula(const After& after, const ConvDenseTiling& t, GM_ADDR w)
      : after_(after),
        channels_(t.groups * t.out_channels),
        elements_(t.window.window_height * t.window.window_width) {
    w_.SetGlobalBuffer((__gm__ T*)w);
  }

  __aicore__ inline void Begin(uint64_t plane) {
    channel_ = plane % channels_;
    tap_ = channel_ * elements_;
  }
  __aicore__ inline void First(const LocalTensor<float>& sums, const LocalTensor<float>& tap,
                               uint32_t count) {
    Muls(sums, tap, Weight(), count);
  }
  __aicore__ inline void Next(const LocalTensor<float>& sums, const LocalTensor<float>& tap,
                              uint32_t count) {
    Axpy(sums, tap, Weight(), count);
  }
  template <typename Counts>
  __aicore__ inline void Finish(const LocalTensor<float>& sums, Counts&, uint32_t count) {
    after_(sums, channel_, count);
  }

 private:
  __aicore__ inline float Weight() { return static_cast<float>(w_.GetValue(tap_++)); }

  const After& after_;
  GlobalTensor<T> w_;
  uint64_t channels_, elements_, channel_ = 0, tap_ = 0;
};

// In lanes: the filters and the biases of 16 channels lie side by side.
template <typename After, typename T>
class LaneFormula {
 public:
  using Computed = float;

  __aicore__ inline LaneFormula(const After& after, const ConvDenseTiling& t, TPipe& pipe,
                                GM_ADDR w)
      : after_(after), filters_(pipe, w, t.window.window_height * t.window.window_width) {
    if (after.has_bias) biases_.Init(pipe, 1);
  }

  __aicore__ inline void Begin(const window::LaneTile& tile) {
    if (tile.channel == channel_) return;
    channel_ = tile.channel;
    filters_.Bring(tile.channel, tile.given);
    if (after_.has_bias) biases_.Bring(after_.bias, tile.channel, tile.given, 1);
  }
  __aicore__ inline void Tap(const LocalTensor<float>& sums, const LocalTensor<float>& x,
                             const window::LaneTap& tap, const window::LaneRun& run) {
    const LocalTensor<float> numbers = filters_.At(tap.element, tap.part);
    if (tap.element == 0) {
      Mul(sums, x, numbers, run.lanes, run.repeats, run.WithBlock());
    } else {
      MulAddDst(sums, x, numbers, run.lanes, run.repeats, run.WithBlock());
    }
  }
  __aicore__ inline void Finish(const LocalTensor<float>& sums, const window::LaneTile&, uint32_t,
                                uint32_t count) {
    if (after_.has_bias) {
      window::EveryLaneRun<float>(
          count / window::kLanes, 1,
          [&](uint32_t pixel, uint32_t part, const window::LaneRun& run) {
            const LocalTensor<float> some = sums[pixel * window::kLanes + part * 8];
            Add(some, some, biases_.At(0, part), run.lanes, run.repeats, run.WithBlock());
          });
    }
    after_.after(sums, count);
  }

 private:
  const After& after_;
  window::LaneNumbers<T> biases_;
  window::LaneFilters<T> filters_;
  uint32_t channel_ = 0xffffffff;
};

template <typename T, typename After>
__aicore__ inline void RunPlanes(const After& after, const ConvDenseTiling& t, TPipe& pipe,
                                 GM_ADDR x, GM_ADDR w, GM_ADDR y) {
  if (t.window.pitch != 0) {
    LaneFormula<After, T> formula(after, t, pipe, w);
    window::LaneKernel<LaneFormula<After, T>, T> op(t.window, static_cast<uint32_t>(t.groups), pipe,
                                                    x, y, static_cast<T>(0));
    op.Run(formula);
    return;
  }
  PlaneFormula<After, T> formula(after, t, w);
  window::Kernel<PlaneFormula<After, T>, T> op(t.window);
  op.Run(formula, pipe, x, y, static_cast<T>(0), t.out_channels);
}

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_PLANES_H_
