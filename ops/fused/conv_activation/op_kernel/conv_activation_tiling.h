#ifndef CONV_ACTIVATION_TILING_H_
#define CONV_ACTIVATION_TILING_H_

#include "conv_dense_tiling.h"

// Activations by number.
constexpr uint32_t kBendRelu = 0, kBendClip = 1, kBendSilu = 2, kBendHardSwish = 3;

struct ConvActivationTilingData {
  ConvDenseTiling conv;
  uint32_t which;
  float least, most;
  uint32_t work;  // floats that the activation needs beside the sums
};

#endif  // CONV_ACTIVATION_TILING_H_
