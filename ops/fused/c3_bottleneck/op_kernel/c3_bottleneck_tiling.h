// What the host tells a C3Bottleneck. Plain data, shared by both sides.
#ifndef C3_BOTTLENECK_C3_BOTTLENECK_TILING_H_
#define C3_BOTTLENECK_C3_BOTTLENECK_TILING_H_

#include "conv_dense_tiling.h"

struct C3BottleneckTiling {
  ConvDenseTiling narrow, wide;  // the first and the second convolution
  uint64_t windows_bytes;  // ends the windows; what lies between the convolutions comes behind
  uint32_t shortcut;       // 0 or 1
  uint32_t reserved;
};

#endif  // C3_BOTTLENECK_C3_BOTTLENECK_TILING_H_
