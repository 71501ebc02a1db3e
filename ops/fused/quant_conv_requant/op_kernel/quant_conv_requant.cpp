// y = saturate(round(act((convolution(x, w) + bias) * scale) * factor) + offset).
#include "conv.h"
#include "quant_conv_requant_tiling.h"
#include "requant.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void quant_conv_requant(GM_ADDR x, GM_ADDR w, GM_ADDR scale,
                                                         GM_ADDR outside, GM_ADDR offset,
                                                         GM_ADDR bias, GM_ADDR factor, GM_ADDR y,
                                                         GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(QuantConvRequantTilingData);
  GET_TILING_DATA(data, tiling);
  const bend::RequantEpilogue epilogue{
      bend::RequantOf(data.which, data.has_factor != 0, factor, offset)};
  if (TILING_KEY_IS(0)) {  // kConvOnBoth
    conv::Run<DTYPE_X, DTYPE_Y>(epilogue, data.conv, x, w, bias, y, workspace,
                                {scale, data.one_scale != 0, outside});
  } else if (TILING_KEY_IS(3)) {  // kConvByTurns
    conv::RunOnOneKind<DTYPE_X, DTYPE_Y>(epilogue, data.conv, x, w, bias, y, workspace,
                                         {scale, data.one_scale != 0, outside});
  }
}
