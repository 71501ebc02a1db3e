// Parts of x, one behind the other along a dim.
#include "parts.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void split(GM_ADDR x, GM_ADDR ys, GM_ADDR workspace,
                                            GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(PartsTiling);
  GET_TILING_DATA(data, tiling);
  parts::TakeApart<DTYPE_X>(data, x, ys);
}
