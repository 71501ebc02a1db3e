// Convolutions whose channels of y see one channel of x each, on the vector unit: sums over the
// taps of windows (window.h), each times its number of the filter.
#ifndef OPS_SHARED_CONV_PLANES_H_
#define OPS_SHARED_CONV_PLANES_H_

#include "conv_dense_tiling.h"
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

template <typename T, typename After>
__aicore__ inline void RunPlanes(const After& after, const ConvDenseTiling& t, TPipe& pipe,
                                 GM_ADDR x, GM_ADDR w, GM_ADDR y) {
  PlaneFormula<After, T> formula(after, t, w);
  window::Kernel<PlaneFormula<After, T>, T> op(t.window);
  op.Run(formula, pipe, x, y, static_cast<T>(0), t.out_channels);
}

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_PLANES_H_
