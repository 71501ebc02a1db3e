// What the host tells a step of a recurrent layer. Plain data, shared by both sides.
#ifndef RECURRENT_CELL_RECURRENT_CELL_TILING_H_
#define RECURRENT_CELL_RECURRENT_CELL_TILING_H_

#include "kernel_tiling/kernel_tiling.h"

// A part of the state is one base block of the cube unit: part_rows x part_columns at most.
struct RecurrentCellTiling {
  AscendC::tiling::TCubeTiling cube;  // of a gate's part
  uint64_t rows, columns;             // of the state
  uint64_t inputs;                    // columns of x
  uint32_t part_rows, part_columns;
  uint32_t has_bias;  // 0 or 1
  uint32_t reserved;
};

#endif  // RECURRENT_CELL_RECURRENT_CELL_TILING_H_
