// What the host tells the kernel.
#ifndef HOSTILE_OP_HOSTILE_TILING_H_
#define HOSTILE_OP_HOSTILE_TILING_H_

#include <cstdint>

struct HostileTilingData {
  uint64_t total;     // elements of the whole tensor
  uint64_t per_core;  // elements of every core but the last; a multiple of 8
};

#endif  // HOSTILE_OP_HOSTILE_TILING_H_
