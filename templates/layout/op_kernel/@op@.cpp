// y = x with its last two dims exchanged. Which element goes where is the host's to say
// (op_host/@op@.cpp).
#include "layout.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void @op@(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                           GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(LayoutTiling);
  GET_TILING_DATA(data, tiling);
  layout::Move<DTYPE_X>(data, x, y);
}
