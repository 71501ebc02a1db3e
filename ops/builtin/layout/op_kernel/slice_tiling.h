// What the host tells a Slice. Plain data, shared by both sides.
#ifndef LAYOUT_SLICE_TILING_H_
#define LAYOUT_SLICE_TILING_H_

#include "layout_tiling.h"

// step: above 1, elements of a row of y lie so far apart in x. Then tiles hold whole rows, and the
// columns of `move` are those of y.
struct SliceTiling {
  LayoutTiling move;
  uint32_t step;
  uint32_t seen;   // elements of x from the first to the last one of a row of y
  uint32_t pitch;  // elements from row to row of x in UB
  uint32_t line;   // elements from row to row of y in UB
};

#endif  // LAYOUT_SLICE_TILING_H_
