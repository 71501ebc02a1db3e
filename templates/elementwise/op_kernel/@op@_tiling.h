// What the host's tiling function tells the kernel. Plain data, shared by both sides.
#ifndef @OP_UPPER@_TILING_H_
#define @OP_UPPER@_TILING_H_

#include <cstdint>

struct @OP@TilingData {
  uint64_t total;     // elements of the whole tensor
  uint64_t per_core;  // elements of every core but the last; a multiple of 512 bytes
  uint32_t tile;      // elements that one pass moves through UB; a multiple of 512 bytes
  float alpha;
};

#endif  // @OP_UPPER@_TILING_H_
