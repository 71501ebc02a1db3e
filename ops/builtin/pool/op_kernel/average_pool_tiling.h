#ifndef AVERAGE_POOL_TILING_H_
#define AVERAGE_POOL_TILING_H_

#include "window_tiling.h"

struct AveragePoolTilingData {
  WindowTiling window;
  uint32_t all;  // 1: every element of a window counts, 0: those in the image
  uint32_t reserved;
};

#endif  // AVERAGE_POOL_TILING_H_
