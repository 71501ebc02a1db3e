#ifndef CONV_BIAS_ACTIVATION_TILING_H_
#define CONV_BIAS_ACTIVATION_TILING_H_

#include "conv_tiling.h"

// Activations by number.
constexpr uint32_t kBendNone = 0, kBendRelu = 1, kBendClip = 2, kBendLeaky = 3, kBendSilu = 4,
                   kBendHardSwish = 5;

struct ConvBiasActivationTilingData {
  ConvTiling conv;
  uint32_t which;
  float least, most, alpha;
  uint32_t reserved;
};

#endif  // CONV_BIAS_ACTIVATION_TILING_H_
