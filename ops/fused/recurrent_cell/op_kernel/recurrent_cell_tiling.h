// What the host tells a step of a recurrent layer. Plain data, shared by both sides.
#ifndef RECURRENT_CELL_RECURRENT_CELL_TILING_H_
#define RECURRENT_CELL_RECURRENT_CELL_TILING_H_

#include "kernel_tiling/kernel_tiling.h"

// A part of the state is part_rows x part_columns at most; where vector cores drive the cube unit,
// one base block of it.
struct RecurrentCellTiling {
  AscendC::tiling::TCubeTiling cube;  // cuts a gate's part, or a block of all gates
  uint64_t rows, columns;             // measure the state
  uint64_t inputs;                    // columns of x
  uint32_t part_rows, part_columns;
  uint32_t has_bias;  // 0 or 1
  uint32_t pitch;     // elements from row to row of a part in UB
};

#endif  // RECURRENT_CELL_RECURRENT_CELL_TILING_H_
