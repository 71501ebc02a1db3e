// What the host tells the kernels. Plain data, shared by both sides.
#ifndef OPS_BUILTIN_REQUANTIZE_TILING_H_
#define OPS_BUILTIN_REQUANTIZE_TILING_H_

#include "elementwise_tiling.h"

struct RequantizeTilingData {
  ElementwiseTiling view;
  uint32_t relu;  // 0 or 1
  uint32_t reserved;
};

#endif  // OPS_BUILTIN_REQUANTIZE_TILING_H_
