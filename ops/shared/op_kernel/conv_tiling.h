// What the host tells a convolution. Plain data, shared by both sides.
#ifndef OPS_SHARED_CONV_TILING_H_
#define OPS_SHARED_CONV_TILING_H_

#include <cstdint>

// A tile of y: pixels of one image times channels. The cube core leaves its sums in a slot of the
// block's workspace.
constexpr uint32_t kConvTilePixels = 128;  // at most
constexpr uint32_t kConvSlots = 2;         // the cores of a block work on different tiles

// Sizes are in elements of the model's shapes, N x C x H x W.
struct ConvTiling {
  uint32_t images, channels, height, width;      // of x
  uint32_t out_channels, out_height, out_width;  // of y
  uint32_t filter_height, filter_width;
  uint32_t stride_height, stride_width;
  uint32_t dilation_height, dilation_width;
  uint32_t pad_top, pad_left, pad_bottom, pad_right;
  uint32_t tile_rows;      // rows of y's pixels in a tile; 1 where a tile has part of a row
  uint32_t tile_columns;   // pixels of a row: all, or kConvTilePixels
  uint32_t tile_channels;  // a multiple of 16
  uint32_t k_step;         // rows of the filter's matrix that the cube core multiplies at once
  uint32_t has_bias;       // 0 or 1
  uint32_t reserved;
  uint64_t tiles;
};

#endif  // OPS_SHARED_CONV_TILING_H_
