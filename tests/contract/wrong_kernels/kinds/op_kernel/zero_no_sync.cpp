// Adds to the output without waiting for the core that fills it with zeros.
#include "column_sums.h"

using KernelZeroNoSync = ColumnSums<true, kRight>;

extern "C" __global__ __aicore__ void zero_no_sync_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelZeroNoSync op;
  op.Init(x, z, data);
  op.Process();
}
