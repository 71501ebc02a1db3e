// The largest element of every window.
#include "window.h"
#include "window_lanes.h"

using namespace AscendC;

template <typename T>
struct MaxFormula {
  using Computed = T;
  static constexpr bool kCounts = false;
  __aicore__ inline void Begin(uint64_t) const {}
  __aicore__ inline void First(const LocalTensor<T>& largest, const LocalTensor<T>& tap,
                               uint32_t count) const {
    Max(largest, tap, tap, count);
  }
  __aicore__ inline void Next(const LocalTensor<T>& largest, const LocalTensor<T>& tap,
                              uint32_t count) const {
    Max(largest, largest, tap, count);
  }
  template <typename Counts>
  __aicore__ inline void Finish(const LocalTensor<T>&, Counts&, uint32_t) const {}
};

template <typename T>
struct MaxOfLanes {
  using Computed = T;
  __aicore__ inline void Begin(const window::LaneTile&) const {}
  __aicore__ inline void Tap(const LocalTensor<T>& largest, const LocalTensor<T>& x,
                             const window::LaneTap& tap, const window::LaneRun& run) const {
    if (tap.element == 0) {
      Max(largest, x, x, run.lanes, run.repeats, run.First());
    } else {
      Max(largest, largest, x, run.lanes, run.repeats, run.Next());
    }
  }
  __aicore__ inline void Finish(const LocalTensor<T>&, const window::LaneTile&, uint32_t,
                                uint32_t) const {}
};

extern "C" __global__ __aicore__ void max_pool(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                               GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(WindowTiling);
  GET_TILING_DATA(data, tiling);
  constexpr float kLargest = 3.402823466e38f;
  const float least = -kLargest - kLargest;  // minus infinity
  TPipe pipe;
  if (data.pitch != 0) {
    MaxOfLanes<DTYPE_X> formula;
    window::LaneKernel<MaxOfLanes<DTYPE_X>, DTYPE_X> op(data, static_cast<uint32_t>(data.planes),
                                                        pipe, x, y, static_cast<DTYPE_X>(least));
    op.Run(formula);
  } else {
    MaxFormula<DTYPE_X> formula;
    window::Kernel<MaxFormula<DTYPE_X>, DTYPE_X> op(data);
    op.Run(formula, pipe, x, y, static_cast<DTYPE_X>(least));
  }
}
