// What the host tells a ScatterND. Plain data, shared by both sides.
#ifndef SCATTER_ND_SCATTER_ND_TILING_H_
#define SCATTER_ND_SCATTER_ND_TILING_H_

#include <cstdint>

struct ScatterNdTilingData {
  uint64_t slices, columns;  // measure data: slices of `columns` elements
  uint64_t updates;
  uint64_t core_tiles;  // counts the tiles of every core but the last ones
  uint32_t tile_rows, tile_columns;
  uint32_t pitch;  // elements from row to row of a tile
  uint32_t adds;   // 1: updates are added
};

constexpr uint32_t kScatterChunk = 2048;  // indices that pass through UB at once

#endif  // SCATTER_ND_SCATTER_ND_TILING_H_
