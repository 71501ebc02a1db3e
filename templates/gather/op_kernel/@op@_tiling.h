// What the host's tiling function tells the kernel. Plain data, shared by both sides.
#ifndef @OP_UPPER@_TILING_H_
#define @OP_UPPER@_TILING_H_

#include <cstdint>

struct @OP@TilingData {
  uint64_t table_rows;
  uint64_t rows;       // indices
  uint64_t core_rows;  // counts the rows of every core but the last; a multiple of kBatch
  uint32_t columns;
};

constexpr uint32_t kBatch = 64;  // indices that a core reads at once: whole blocks of 32 bytes

#endif  // @OP_UPPER@_TILING_H_
