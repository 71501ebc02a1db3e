// y = the sums of the elements of x along a dim up to each place.
#include "columns.h"
#include "lines.h"

extern "C" __global__ __aicore__ void cum_sum(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                              GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(CumSumTiling);
  GET_TILING_DATA(data, tiling);
  if (data.terms == 0) return;
  if (data.inner == 1) {
    Lines<DTYPE_X> op(data);
    op.Run(x, y);
  } else {
    Columns<DTYPE_X> op;
    op.Run(data, x, y);
  }
}
