// What the host tells a OneHot. Plain data, shared by both sides.
#ifndef ONE_HOT_ONE_HOT_TILING_H_
#define ONE_HOT_ONE_HOT_TILING_H_

#include <cstdint>

// y is outer x depth x inner. A tile is rows and columns of it: where inner is 1, the outer dim and
// the depth, else the depth and the inner dim of one matrix.
struct OneHotTilingData {
  uint64_t matrices;
  uint64_t rows, columns;
  uint64_t depth;
  uint64_t core_tiles;  // counts the tiles of every core but the last ones
  uint32_t tile_rows, tile_columns;
  uint32_t across;  // 1: the depth lies along columns
  uint32_t tile;    // elements in UB
};

#endif  // ONE_HOT_ONE_HOT_TILING_H_
