// What the host's tiling function tells the kernel. Plain data, shared by both sides.
#ifndef @OP_UPPER@_TILING_H_
#define @OP_UPPER@_TILING_H_

#include <cstdint>

struct @OP@TilingData {
  uint64_t elements;
  uint64_t core_elements;  // counts the elements of every core but the last; whole tiles
};

constexpr uint32_t kTile = 4096;  // elements that a core takes at once

#endif  // @OP_UPPER@_TILING_H_
