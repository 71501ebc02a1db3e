#ifndef LRN_TILING_H_
#define LRN_TILING_H_

#include <cstdint>

struct LrnTilingData {
  uint64_t images;
  uint32_t channels, pixels;            // count the channels and pixels of an image
  uint32_t tile_channels, tile_pixels;  // tile_pixels: a multiple of 16
  uint32_t size, before;                // channels of a window, and in front of its middle
  uint64_t tiles, core_tiles;
  float alpha, beta, bias;  // alpha: of one square
  uint32_t reserved;
};

#endif  // LRN_TILING_H_
