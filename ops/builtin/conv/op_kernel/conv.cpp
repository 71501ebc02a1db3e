// y = convolution(x, w) + bias.
#include "conv_channel_bias.h"
#include "conv_turned_by_turns.h"

using namespace AscendC;
using conv_dense::NothingAfter;

extern "C" __global__ __aicore__ void conv_dense_images(GM_ADDR x, GM_ADDR w, GM_ADDR bias,
                                                        GM_ADDR y, GM_ADDR workspace,
                                                        GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(ConvDenseTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const bool has_bias = data.has_bias != 0;
  if (TILING_KEY_IS(3)) {  // kConvPlanes
    if ASCEND_IS_AIV {
      conv_dense::PlaneBias<NothingAfter, DTYPE_X> after{has_bias, {}, {}};
      after.bias.SetGlobalBuffer((__gm__ DTYPE_X*)bias);
      conv_dense::RunPlanes<DTYPE_X>(after, data, pipe, x, w, y);
    }
  } else if (TILING_KEY_IS(4)) {  // kConvTurned
    const auto make = [&] { return conv_dense::BlockBias<NothingAfter>{has_bias, {}}; };
    conv_dense::RunTurned<DTYPE_X>(make, data, pipe, x, w, y, workspace, has_bias ? bias : nullptr);
  } else if (TILING_KEY_IS(5)) {  // kConvTurnedByTurns
    const auto make = [&] { return conv_dense::BlockBias<NothingAfter>{has_bias, {}}; };
    conv_dense::RunTurnedByTurns<DTYPE_X>(make, data, pipe, x, w, y, workspace,
                                          has_bias ? bias : nullptr);
  } else if (TILING_KEY_IS(1) || TILING_KEY_IS(2)) {  // kConvPlain, kConvWindows
    conv_dense::Kernel<conv_dense::BlockBias<NothingAfter>, DTYPE_X> op;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.cube);
    op.Run({has_bias, {}}, data, pipe, x, w, y, workspace, has_bias ? bias : nullptr);
  }
}
