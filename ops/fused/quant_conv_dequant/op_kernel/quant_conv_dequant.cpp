// y = act((convolution(x, w) + bias) * scale).
#include "activation.h"
#include "conv.h"
#include "quant_conv_dequant_tiling.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void quant_conv_dequant(GM_ADDR x, GM_ADDR w, GM_ADDR scale,
                                                         GM_ADDR bias, GM_ADDR y, GM_ADDR workspace,
                                                         GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(QuantConvDequantTilingData);
  GET_TILING_DATA(data, tiling);
  if (TILING_KEY_IS(0)) {  // kConvOnBoth
    conv::Run<DTYPE_X, DTYPE_Y>(bend::ActivationEpilogue{data.which}, data.conv, x, w, bias, y,
                                workspace, {scale, data.one_scale != 0});
  } else if (TILING_KEY_IS(3)) {  // kConvByTurns
    conv::RunOnOneKind<DTYPE_X, DTYPE_Y>(bend::ActivationEpilogue{data.which}, data.conv, x, w,
                                         bias, y, workspace, {scale, data.one_scale != 0});
  }
}
