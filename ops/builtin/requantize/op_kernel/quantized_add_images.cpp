// y = saturate(round(relu(a * a_scale + b * b_scale + shift)) + offset).
#include "quantized_sum.h"

extern "C" __global__ __aicore__ void quantized_add_images(GM_ADDR a, GM_ADDR b, GM_ADDR a_scale,
                                                           GM_ADDR b_scale, GM_ADDR shift,
                                                           GM_ADDR offset, GM_ADDR y,
                                                           GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(RequantizeTilingData);
  GET_TILING_DATA(data, tiling);
  requant::RunSum<DTYPE_A>(data, a, b, a_scale, b_scale, shift, offset, y);
}
