// y = saturate(round(relu(c * c_scale + addend * addend_scale + shift)) + offset), where
// c = saturate(round((convolution(x, w) + bias) * scale) + c_offset).
#include "conv.h"
#include "quant_conv_add_requant_tiling.h"
#include "sum_epilogue.h"

extern "C" __global__ __aicore__ void quant_conv_add_requant(
    GM_ADDR x, GM_ADDR w, GM_ADDR scale, GM_ADDR outside, GM_ADDR c_offset, GM_ADDR addend,
    GM_ADDR c_scale, GM_ADDR addend_scale, GM_ADDR shift, GM_ADDR offset, GM_ADDR bias, GM_ADDR y,
    GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(QuantConvAddRequantTilingData);
  GET_TILING_DATA(data, tiling);
  const SumEpilogue epilogue{static_cast<float>(conv::NumberAt<int8_t>(c_offset)),
                             conv::NumberAt<float>(c_scale),
                             conv::NumberAt<float>(addend_scale),
                             conv::NumberAt<float>(shift),
                             static_cast<float>(conv::NumberAt<int8_t>(offset)),
                             data.relu != 0};
  const conv::Scale scales{scale, data.one_scale != 0, outside};
  if (TILING_KEY_IS(0)) {  // kConvOnBoth
    conv::Run<DTYPE_X, DTYPE_Y>(epilogue, data.conv, x, w, bias, y, workspace, scales, addend);
  } else if (TILING_KEY_IS(3)) {  // kConvByTurns
    conv::RunOnOneKind<DTYPE_X, DTYPE_Y>(epilogue, data.conv, x, w, bias, y, workspace, scales,
                                         addend);
  }
}
