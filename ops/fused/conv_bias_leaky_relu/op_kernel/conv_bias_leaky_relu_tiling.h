#ifndef CONV_BIAS_LEAKY_RELU_TILING_H_
#define CONV_BIAS_LEAKY_RELU_TILING_H_

#include "conv_tiling.h"

struct ConvBiasLeakyReluTilingData {
  ConvTiling conv;
  float alpha;
  uint32_t reserved;
};

#endif  // CONV_BIAS_LEAKY_RELU_TILING_H_
