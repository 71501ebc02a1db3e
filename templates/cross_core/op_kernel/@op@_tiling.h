// What the host's tiling function tells the kernel. Plain data, shared by both sides.
#ifndef @OP_UPPER@_TILING_H_
#define @OP_UPPER@_TILING_H_

#include <cstdint>

constexpr uint32_t kTile = 64;  // rows and columns of a tile of the result, and steps along k

struct @OP@TilingData {
  uint32_t m, n, k;
};

#endif  // @OP_UPPER@_TILING_H_
