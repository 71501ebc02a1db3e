// What the host's tiling function tells the kernel. Plain data, shared by both sides.
#ifndef ADD_RELU_TILING_H_
#define ADD_RELU_TILING_H_

#include <cstdint>

struct AddReluTilingData {
  uint64_t total;     // elements of the whole tensor
  uint64_t per_core;  // elements of every core but the last; a multiple of 512 bytes
  uint32_t tile;      // elements that one pass moves through UB; a multiple of 512 bytes
};

#endif  // ADD_RELU_TILING_H_
