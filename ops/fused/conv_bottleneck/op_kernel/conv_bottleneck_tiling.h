#ifndef CONV_BOTTLENECK_TILING_H_
#define CONV_BOTTLENECK_TILING_H_

#include "conv_tiling.h"

struct ConvBottleneckTilingData {
  ConvTiling narrow, middle, wide;
  // Bytes of the workspace in front of what the first convolution writes, and the second one. The
  // slots of the third one come before both.
  uint64_t narrow_at, between_at;
};

#endif  // CONV_BOTTLENECK_TILING_H_
