// What the host tells kernels of windows of images in NC1HWC0. Plain data, shared by both sides.
#ifndef IMAGE_POOL_TILING_H_
#define IMAGE_POOL_TILING_H_

#include <cstdint>

// A plane is C0 channels of an image. A tile is some rows of a plane of y.
struct ImagePoolTiling {
  uint64_t planes;
  uint32_t height, width;  // measure x
  uint32_t out_height, out_width;
  uint32_t window_height, window_width;
  uint32_t stride_height, stride_width;
  uint32_t dilation_height, dilation_width;
  uint32_t pad_top, pad_left;
  uint32_t padded_width;    // pixels of a row in UB, padding included
  uint32_t slab_rows;       // counts the rows of x, padding included, that a tile sees
  uint32_t tile_rows;       // counts the rows of y
  uint32_t tiles;           // counts the tiles of a plane
  uint64_t core_tiles;      // counts the tiles of every core but the last ones
  uint32_t counts_padding;  // 0 or 1: AveragePool
  uint32_t reserved;
};

#endif  // IMAGE_POOL_TILING_H_
