// Adds to an output that nobody has filled with zeros.
#include "column_sums.h"

using KernelAtomicNoZero = ColumnSums<kRight, kRight>;

extern "C" __global__ __aicore__ void atomic_no_zero_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                        GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelAtomicNoZero op;
  op.Init(x, z, data);
  op.Process();
}
