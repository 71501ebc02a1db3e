#ifndef BATCH_NORMALIZATION_TILING_H_
#define BATCH_NORMALIZATION_TILING_H_

#include "elementwise_tiling.h"

struct BatchNormalizationTilingData {
  ElementwiseTiling view;
  float epsilon;
  uint32_t reserved;
};

#endif  // BATCH_NORMALIZATION_TILING_H_
