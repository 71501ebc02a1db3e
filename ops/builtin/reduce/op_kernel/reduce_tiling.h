// What the host tells a reduction along dims. Plain data, shared by both sides.
#ifndef REDUCE_REDUCE_TILING_H_
#define REDUCE_REDUCE_TILING_H_

#include "rows_tiling.h"

// x is outer x terms x inner, y outer x inner.
struct ReduceTiling {
  RowsTiling rows;  // where inner is 1
  uint64_t outer, terms, inner;
  uint64_t core_units;  // counts the units of every core but the last ones: `width` elements of y
  uint32_t width;       // counts elements of inner that pass through UB at once
  uint32_t chunk;       // terms that pass through UB at once
  uint32_t tile;        // elements of them
  uint32_t reserved;
};

#endif  // REDUCE_REDUCE_TILING_H_
