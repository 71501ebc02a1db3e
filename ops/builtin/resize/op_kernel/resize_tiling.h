// What the host tells a Resize. Plain data, shared by both sides.
#ifndef RESIZE_RESIZE_TILING_H_
#define RESIZE_RESIZE_TILING_H_

#include <cstdint>

// Place i of y lies at (i * step + offset) / divisor of x. What the mode makes of fractions (the
// nearest place is the one below, say) is in offset and divisor already.
struct ResizeAxis {
  int64_t step, offset, divisor;
  int64_t in, out;
};

struct ResizeTiling {
  ResizeAxis down, across;
  uint64_t planes;
  uint64_t tiles, core_tiles;  // count all tiles, and the tiles of every core but the last ones
  uint32_t tile_planes, tile_rows, tile_columns;  // measure the tile in y
  uint32_t line;                                  // elements of a row of y's tile in UB
  uint32_t lines;                                 // rows of x in UB, for each plane
  uint32_t pitch;                                 // elements of one
  uint32_t dense;   // 1: all rows of x from the first to the last one; 0: those that rows of y read
  uint32_t linear;  // 0: the nearest element
};

constexpr uint32_t kResizeLine = 16;  // rows of y begin blocks of UB for every type

#endif  // RESIZE_RESIZE_TILING_H_
