#ifndef CONV_BIAS_ACTIVATION_TILING_H_
#define CONV_BIAS_ACTIVATION_TILING_H_

#include "bending_tiling.h"
#include "conv_tiling.h"

struct ConvBiasActivationTilingData {
  ConvTiling conv;
  uint32_t which;
  float least, most, alpha;
  uint32_t reserved;
};

#endif  // CONV_BIAS_ACTIVATION_TILING_H_
