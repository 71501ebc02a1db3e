// What the host tells an MlaProlog. Plain data, shared by both sides.
#ifndef MLA_PROLOG_MLA_PROLOG_TILING_H_
#define MLA_PROLOG_MLA_PROLOG_TILING_H_

#include "kernel_tiling/kernel_tiling.h"

struct MlaPrologTiling {
  AscendC::tiling::TCubeTiling cube;  // of a block of sums
  uint64_t slots;                     // rows of the caches
  uint32_t tokens, hidden;
  uint32_t query_rank, cache_rank;  // columns of what is normalised
  uint32_t heads, plain;            // plain: columns of a head that are not turned
  uint32_t half;                    // pairs that are turned
  uint32_t block_rows, block_columns;
  float query_epsilon, cache_epsilon;
};

#endif  // MLA_PROLOG_MLA_PROLOG_TILING_H_
