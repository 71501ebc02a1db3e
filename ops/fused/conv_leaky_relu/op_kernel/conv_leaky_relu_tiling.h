#ifndef CONV_LEAKY_RELU_TILING_H_
#define CONV_LEAKY_RELU_TILING_H_

#include "conv_dense_tiling.h"

struct ConvLeakyReluTilingData {
  ConvDenseTiling conv;
  float alpha;
  uint32_t reserved;
};

#endif  // CONV_LEAKY_RELU_TILING_H_
