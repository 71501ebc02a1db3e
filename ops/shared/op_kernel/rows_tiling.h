// What the host tells a kernel that works on rows. Plain data, shared by both sides.
#ifndef OPS_SHARED_ROWS_TILING_H_
#define OPS_SHARED_ROWS_TILING_H_

#include "elementwise_tiling.h"

// view: rows x columns, every core with whole rows. Where view.tile_columns is less than
// view.columns, a row is longer than UB has room for, and passes through it in parts, once for
// every statistic.
struct RowsTiling {
  ElementwiseTiling view;
};

#endif  // OPS_SHARED_ROWS_TILING_H_
