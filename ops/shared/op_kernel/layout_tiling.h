// What the host tells a kernel that moves elements. Plain data, shared by both sides.
#ifndef OPS_SHARED_LAYOUT_TILING_H_
#define OPS_SHARED_LAYOUT_TILING_H_

#include <cstdint>

constexpr uint32_t kLayoutOuterDims = 14;  // is enough: two for each dim of y, without two

// Matrices of rows x columns, one for every index of the outer dims. The columns of a row lie side
// by side in x. In y either they do, too, or the matrix is turned: its rows lie side by side.
// Counts and strides are in elements.
struct LayoutTiling {
  uint64_t matrices;
  uint64_t rows, columns;
  uint64_t x_first;     // is the place in x where the first matrix begins
  uint64_t y_first;     // is the place in y where the first matrix begins
  uint64_t x_stride;    // leads from row to row
  uint64_t y_stride;    // leads from row to row; turned: from column to column
  uint64_t core_tiles;  // tiles of every core but the last ones
  uint32_t turned;      // 0 or 1
  uint32_t outer_dims;  // used places of the arrays, outermost first
  uint32_t tile_rows;   // that one pass moves through UB
  uint32_t tile_columns;
  uint64_t outer_size[kLayoutOuterDims];
  uint64_t outer_x[kLayoutOuterDims];
  uint64_t outer_y[kLayoutOuterDims];
};

// Elements of a block of UB, and rows of x that the vector unit turns at once: pages "DataCopyPad"
// and "TransDataTo5HD".
constexpr uint32_t LayoutBlock(uint32_t element_bytes) { return 32 / element_bytes; }
constexpr uint32_t LayoutTurnedRows(uint32_t element_bytes) { return element_bytes == 1 ? 32 : 16; }

#endif  // OPS_SHARED_LAYOUT_TILING_H_
