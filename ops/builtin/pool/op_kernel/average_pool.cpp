// The mean of every window, computed in float.
#include "average_pool_tiling.h"
#include "mean_of_lanes.h"
#include "window.h"

using namespace AscendC;

struct MeanFormula {
  using Computed = float;
  static constexpr bool kCounts = true;
  float all;  // elements of a window; 0: those that lie in the image count
  __aicore__ inline void Begin(uint64_t) const {}
  __aicore__ inline void First(const LocalTensor<float>& sums, const LocalTensor<float>& tap,
                               uint32_t count) const {
    Adds(sums, tap, 0.0f, count);
  }
  __aicore__ inline void Next(const LocalTensor<float>& sums, const LocalTensor<float>& tap,
                              uint32_t count) const {
    Add(sums, sums, tap, count);
  }
  template <typename Counts>
  __aicore__ inline void Finish(const LocalTensor<float>& sums, Counts& counts,
                                uint32_t count) const {
    const LocalTensor<float> divisors = counts.template Get<float>();
    if (all > 0.0f) Duplicate(divisors, all, count);
    Div(sums, sums, divisors, count);
  }
};

extern "C" __global__ __aicore__ void average_pool(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(AveragePoolTilingData);
  GET_TILING_DATA(data, tiling);
  const WindowTiling& t = data.window;
  TPipe pipe;
  const float all = data.all != 0 ? static_cast<float>(t.window_height * t.window_width) : 0.0f;
  if (t.pitch != 0) {
    MeanOfLanes formula(t, all, pipe);
    window::LaneKernel<MeanOfLanes, DTYPE_X> op(t, static_cast<uint32_t>(t.planes), pipe, x, y,
                                                static_cast<DTYPE_X>(0));
    op.Run(formula);
  } else {
    MeanFormula formula{all};
    window::Kernel<MeanFormula, DTYPE_X> op(t);
    op.Run(formula, pipe, x, y, static_cast<DTYPE_X>(0));
  }
}
