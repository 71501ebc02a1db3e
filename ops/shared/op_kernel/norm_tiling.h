// What the host tells an op that normalises rows. Plain data, shared by both sides.
#ifndef OPS_SHARED_NORM_TILING_H_
#define OPS_SHARED_NORM_TILING_H_

#include "rows_tiling.h"

struct NormTiling {
  RowsTiling rows;
  float epsilon;
  uint32_t reserved;
};

#endif  // OPS_SHARED_NORM_TILING_H_
