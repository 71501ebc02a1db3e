#ifndef BATCH_NORMALIZATION_TILING_H_
#define BATCH_NORMALIZATION_TILING_H_

#include "rows_tiling.h"

// rows: of channels with tiling key 1; with key 0 their view is that of an element-wise kernel.
struct BatchNormalizationTilingData {
  RowsTiling rows;
  float epsilon;
  uint32_t reserved;
};

#endif  // BATCH_NORMALIZATION_TILING_H_
