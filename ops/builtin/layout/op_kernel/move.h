// The kernel of an op whose elements only change their places; its tiling says to which.
//
//   MOVE_OP(transpose)
#ifndef LAYOUT_MOVE_H_
#define LAYOUT_MOVE_H_

#include "layout.h"

#define MOVE_OP(entry)                                                                 \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, \
                                              GM_ADDR tiling) {                        \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                    \
    REGISTER_TILING_DEFAULT(LayoutTiling);                                             \
    GET_TILING_DATA(data, tiling);                                                     \
    layout::Move<DTYPE_X>(data, x, y);                                                 \
  }

#endif  // LAYOUT_MOVE_H_
