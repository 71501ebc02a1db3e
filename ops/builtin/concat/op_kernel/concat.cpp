// The tensors one behind the other along a dim.
#include "parts.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void concat(GM_ADDR xs, GM_ADDR y, GM_ADDR workspace,
                                             GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(PartsTiling);
  GET_TILING_DATA(data, tiling);
  parts::Join<DTYPE_XS>(data, xs, y);
}
