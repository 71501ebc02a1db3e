#ifndef WRONG_KERNELS_RIGHT_NEGATE_ALL_TILING_H_
#define WRONG_KERNELS_RIGHT_NEGATE_ALL_TILING_H_

#include <cstdint>

struct NegateAllTilingData {
  uint32_t shifted;  // 1: there is a number to add
  uint32_t unused;
};

#endif  // WRONG_KERNELS_RIGHT_NEGATE_ALL_TILING_H_
