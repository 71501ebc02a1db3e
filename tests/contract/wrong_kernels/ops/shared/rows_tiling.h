// What the hosts of the row-wise ops tell their kernels.
#ifndef WRONG_KERNELS_SHARED_ROWS_TILING_H_
#define WRONG_KERNELS_SHARED_ROWS_TILING_H_

#include <cstdint>

struct RowsTilingData {
  uint32_t rows;
  uint32_t columns;
};

#endif  // WRONG_KERNELS_SHARED_ROWS_TILING_H_
