// What the hosts of the pairs tell their kernels.
#ifndef WRONG_KERNELS_KINDS_KIND_TILING_H_
#define WRONG_KERNELS_KINDS_KIND_TILING_H_

#include <cstdint>

struct KindTiling {
  uint64_t total;     // elements, or rows, of the whole call
  uint64_t per_core;  // counts what every core but the last has
  uint32_t tile;      // elements that one pass moves through UB; a multiple of 64
  uint32_t columns;   // counts the columns of a row
  float alpha;
  uint32_t more;  // what a kind tells besides
};

#endif  // WRONG_KERNELS_KINDS_KIND_TILING_H_
