// What the host tells a GroupedMatmul. Plain data, shared by both sides.
#ifndef GROUPED_MATMUL_GROUPED_MATMUL_TILING_H_
#define GROUPED_MATMUL_GROUPED_MATMUL_TILING_H_

#include "kernel_tiling/kernel_tiling.h"

// A tile is block_rows x block_columns of y at most, of one group. Where the groups end is known to
// the kernel alone: its cores take tiles in turn.
struct GroupedMatmulTiling {
  AscendC::tiling::TCubeTiling cube;  // cuts a tile
  uint64_t rows;                      // counts the rows of x and y
  uint32_t depth, columns, groups;
  uint32_t block_rows, block_columns;
  uint32_t finished_rows;  // counts the rows of a tile that one vector core finishes
  uint32_t has_bias;       // 0 or 1
};

#endif  // GROUPED_MATMUL_GROUPED_MATMUL_TILING_H_
