// What ScaleAdd's host tells its kernel. Plain data, shared by both sides.
#ifndef WRONG_KERNELS_SHARED_SCALE_ADD_TILING_H_
#define WRONG_KERNELS_SHARED_SCALE_ADD_TILING_H_

#include <cstdint>

struct ScaleAddTilingData {
  uint64_t total;     // elements of the whole tensor
  uint64_t per_core;  // elements of every core but the last; a multiple of 8
  uint32_t tile;      // elements that one pass moves through UB; a multiple of 8
  float alpha;
};

#endif  // WRONG_KERNELS_SHARED_SCALE_ADD_TILING_H_
