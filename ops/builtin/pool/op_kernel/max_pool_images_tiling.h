// What the host tells the kernel. Plain data, shared by both sides.
#ifndef OPS_BUILTIN_MAX_POOL_IMAGES_TILING_H_
#define OPS_BUILTIN_MAX_POOL_IMAGES_TILING_H_

#include <cstdint>

struct MaxPoolImagesTilingData {
  uint64_t planes;  // images times groups of 32 channels
  uint32_t height, width, out_height, out_width;
  uint32_t window_height, window_width;
  uint32_t stride_height, stride_width;
  uint32_t dilation_height, dilation_width;
  uint32_t pad_top, pad_left;
  uint32_t tile_columns;  // pixels of y at a time
  uint32_t seen_columns;  // counts the columns of x, at most, that they see
  uint64_t tiles;
};

#endif  // OPS_BUILTIN_MAX_POOL_IMAGES_TILING_H_
