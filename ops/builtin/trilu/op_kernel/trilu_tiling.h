// What the host tells a Trilu. Plain data, shared by both sides.
#ifndef TRILU_TRILU_TILING_H_
#define TRILU_TRILU_TILING_H_

#include <cstdint>

struct TriluTilingData {
  uint64_t matrices;
  int64_t rows, columns;
  int64_t k;            // how far right of the main diagonal the kept part ends or begins
  uint64_t core_tiles;  // counts the tiles of every core but the last ones
  uint32_t tile_rows, tile_columns;
  uint32_t upper;  // 0 or 1
  uint32_t tile;   // elements in UB
};

#endif  // TRILU_TRILU_TILING_H_
