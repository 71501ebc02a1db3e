#ifndef SCALE_RELU_DROPOUT_TILING_H_
#define SCALE_RELU_DROPOUT_TILING_H_

#include "elementwise_tiling.h"

struct ScaleReluDropoutTilingData {
  ElementwiseTiling view;
  float scale;
  float keep_prob;
};

constexpr uint32_t kScaleReluDropoutScratch = sizeof(float);  // bytes for each element

#endif  // SCALE_RELU_DROPOUT_TILING_H_
