// y = silu(convolution(slices of x, w) + bias). Cube cores of their own read the joined slices, in
// their format, from the workspace. Elsewhere no slice is ever made: a window of the joined slices
// is one of x that is twice as high and wide, at twice the stride.
#include "conv_bias.h"
#include "conv_turned_by_turns.h"
#include "silu_after.h"
#include "slice_turner.h"

using namespace AscendC;

// Elements at even and odd places belong to four slices, which are channels of a filter: rows are
// counted faster than columns.
struct SliceOrder {
  __aicore__ static inline uint64_t RowOf(const ConvDenseTiling& t, uint32_t channel, uint32_t down,
                                          uint32_t across) {
    const uint64_t slice = across % 2 * 2 + down % 2;
    const uint64_t plane = slice * t.in_channels + channel;
    return (plane * (t.window.window_height / 2) + down / 2) * (t.window.window_width / 2) +
           across / 2;
  }
};

extern "C" __global__ __aicore__ void focus_conv(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y,
                                                 GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(ConvDenseTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  using Finish = conv_dense::BiasFinish<conv_dense::SiluAfter>;
  if (TILING_KEY_IS(4)) {  // kConvTurned
    const auto make = [&] { return Finish(pipe, data); };
    conv_dense::RunTurned<DTYPE_X, SliceTurner<DTYPE_X>>(make, data, pipe, x, w, y, workspace,
                                                         data.has_bias != 0 ? bias : nullptr);
  } else if (TILING_KEY_IS(5)) {  // kConvTurnedByTurns
    const auto make = [&] { return Finish(pipe, data); };
    conv_dense::RunTurnedByTurns<DTYPE_X, SliceTurner<DTYPE_X>>(
        make, data, pipe, x, w, y, workspace, data.has_bias != 0 ? bias : nullptr);
  } else if (TILING_KEY_IS(2)) {  // kConvWindows: a window has two rows at least
    conv_dense::Kernel<Finish, DTYPE_X, SliceOrder> op;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.cube);
    op.Run(Finish(pipe, data), data, pipe, x, w, y, workspace, data.has_bias != 0 ? bias : nullptr);
  }
}
