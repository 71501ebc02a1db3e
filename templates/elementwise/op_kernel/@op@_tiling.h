// What the host's tiling function tells the kernel. Plain data, shared by both sides.
#ifndef @OP_UPPER@_TILING_H_
#define @OP_UPPER@_TILING_H_

#include "elementwise_tiling.h"

struct @OP@TilingData {
  ElementwiseTiling view;
  float alpha;
};

#endif  // @OP_UPPER@_TILING_H_
