// What the host tells a kernel whose pixels see windows of an image. Plain data, shared by both
// sides.
#ifndef OPS_SHARED_WINDOW_TILING_H_
#define OPS_SHARED_WINDOW_TILING_H_

#include <cstdint>

// Planes are images of one channel, which lie one behind the other. Sizes are in elements.
struct WindowTiling {
  uint64_t planes;         // counts the planes of y
  uint32_t height, width;  // measure a plane of x
  uint32_t out_height, out_width;
  uint32_t window_height, window_width;
  uint32_t stride_height, stride_width;
  uint32_t dilation_height, dilation_width;
  uint32_t pad_top, pad_left;
  uint32_t tile_planes;   // above 1 only where a tile holds whole planes of y
  uint32_t tile_rows;     // counts rows of y; 1 where a tile holds part of a row
  uint32_t tile_columns;  // counts columns of y
  uint32_t slab;          // elements of UB that hold what a tile sees of x
  uint32_t pixels;        // counts the elements of a tile, with room for whole blocks
  uint32_t pitch;         // lanes: pixels from row to row of x in UB; 0: a tap is a Gather
  uint64_t tiles;
  uint64_t core_tiles;  // counts the tiles of every core but the last ones
};

// Rows, or columns, of x that `count` pixels side by side see.
constexpr uint32_t WindowSees(uint32_t count, uint32_t window, uint32_t stride, uint32_t dilation) {
  return (count - 1) * stride + (window - 1) * dilation + 1;
}
// Elements from row to row of x in UB, whatever the first column: rows of x begin at a block.
constexpr uint32_t WindowPitch(uint32_t columns, uint32_t block) {
  return (columns + 2 * block - 2) / block * block;
}

#endif  // OPS_SHARED_WINDOW_TILING_H_
