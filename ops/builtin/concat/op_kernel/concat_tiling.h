#ifndef CONCAT_TILING_H_
#define CONCAT_TILING_H_

#include <cstdint>

constexpr uint32_t kConcatInputs = 32;  // at most

struct ConcatTilingData {
  uint64_t rows;       // of every matrix
  uint64_t y_columns;  // elements of a row of y
  uint64_t columns[kConcatInputs];
  uint32_t tile_rows[kConcatInputs];
  uint32_t tile_columns[kConcatInputs];
  uint32_t inputs;
  uint32_t room;  // elements of the largest tile, rows in whole blocks
};

#endif  // CONCAT_TILING_H_
