#ifndef CONV_BOTTLENECK_TILING_H_
#define CONV_BOTTLENECK_TILING_H_

#include "conv_tiling.h"

struct ConvBottleneckTilingData {
  ConvTiling narrow, middle, wide;
  uint64_t between;  // bytes of the workspace in front of what the second convolution writes
  uint64_t slots;    // and of the slots of the third one
};

#endif  // CONV_BOTTLENECK_TILING_H_
