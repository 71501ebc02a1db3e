// What the host tells a TopK. Plain data, shared by both sides.
#ifndef TOP_K_TOP_K_TILING_H_
#define TOP_K_TOP_K_TILING_H_

#include "sort_tiling.h"

struct TopKTilingData {
  uint64_t rows, columns;  // measure x
  uint64_t core_rows;      // counts the rows of every core but the last ones
  uint32_t k;
  uint32_t chunk;    // elements of a row that are sorted at once: 32, 128, 512 or 2048
  uint32_t side;     // rows that are sorted side by side: above 1 only where a chunk is 32
  uint32_t largest;  // 0 or 1
};

#endif  // TOP_K_TOP_K_TILING_H_
