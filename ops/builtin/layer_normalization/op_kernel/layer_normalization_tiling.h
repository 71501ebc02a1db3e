#ifndef LAYER_NORMALIZATION_TILING_H_
#define LAYER_NORMALIZATION_TILING_H_

#include "rows_tiling.h"

struct LayerNormalizationTilingData {
  RowsTiling rows;
  float epsilon;
};

#endif  // LAYER_NORMALIZATION_TILING_H_
