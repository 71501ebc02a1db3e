// What the host tells an MlaProlog. Plain data, shared by both sides.
#ifndef MLA_PROLOG_MLA_PROLOG_TILING_H_
#define MLA_PROLOG_MLA_PROLOG_TILING_H_

#include "kernel_tiling/kernel_tiling.h"

struct MlaPrologTiling {
  AscendC::tiling::TCubeTiling cube;  // cuts a block of sums
  uint64_t slots;                     // rows of the caches
  uint64_t slot_bytes;                // counts what blocks of sums take of the workspace
  uint32_t tokens, hidden;
  uint32_t query_rank, cache_rank;     // columns of what is normalised
  uint32_t heads, plain;               // plain: columns of a head that are not turned
  uint32_t half;                       // pairs that are turned
  uint32_t block_rows, block_columns;  // measure the memory that a block takes
  uint32_t down_columns, up_columns, absorb_columns;  // measure the blocks of each step
  uint32_t finished_rows;  // counts the rows of a block that one vector core finishes
  float query_epsilon, cache_epsilon;
};

#endif  // MLA_PROLOG_MLA_PROLOG_TILING_H_
