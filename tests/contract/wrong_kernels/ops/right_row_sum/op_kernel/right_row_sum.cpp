// Sums rows of half in float.
#include "../../shared/row_sum_kernel.h"

extern "C" __global__ __aicore__ void right_row_sum(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                    GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(RowsTilingData);
  GET_TILING_DATA(data, tiling);
  RowSum<float> op;
  op.Init(x, z, data);
  op.Process();
}
