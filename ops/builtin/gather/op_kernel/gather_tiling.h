// What the host tells a gather. Plain data, shared by both sides.
#ifndef GATHER_TILING_H_
#define GATHER_TILING_H_

#include <cstdint>

struct GatherTilingData {
  uint64_t slices;  // counts the slices of data for every index of the dims before them
  uint64_t indices;
  uint64_t rows;          // counts the rows of y: as many as indices for each of them
  uint64_t columns;       // elements of a slice
  uint64_t core_rows;     // rows of every core but the last ones
  uint32_t tile_rows;     // that pass through UB at once
  uint32_t tile_columns;  // counts their columns
};

#endif  // GATHER_TILING_H_
