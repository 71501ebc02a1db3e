// The channels of images one behind the other.
#include "parts.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void image_concat(GM_ADDR x0, GM_ADDR x1, GM_ADDR x2, GM_ADDR x3,
                                                   GM_ADDR x4, GM_ADDR x5, GM_ADDR y,
                                                   GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(PartsTiling);
  GET_TILING_DATA(data, tiling);
  const GM_ADDR images[] = {x0, x1, x2, x3, x4, x5};
  parts::JoinFrom<DTYPE_X0>(
      data, [&](uint32_t part) { return images[part]; }, y);
}
