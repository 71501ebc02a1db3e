// What the host tells a convolution. Plain data, shared by both sides.
#ifndef OPS_SHARED_CONV_TILING_H_
#define OPS_SHARED_CONV_TILING_H_

#include <cstdint>

// A tile of y: pixels of one image times channels. Blocks stand in a grid: block b has every
// channel_blocks-th tile of channels from b % channel_blocks on, and of each of them every
// pixel_blocks-th tile of pixels from b / channel_blocks on.
constexpr uint32_t kConvMostSums = 16384;     // limits a tile: half of L0C, in float or int32
constexpr uint32_t kConvMostPixels = 256;     // limits a tile
constexpr uint32_t kConvOperand = 32 * 1024;  // bytes of a step's operand: half of L0A, of L0B
constexpr uint32_t kConvFilterBuffers = 3;    // counts buffers of a step's filter rows in L1
constexpr uint32_t kConvPieceSums = 4096;     // limits a piece that a vector core finishes at once
constexpr uint32_t kConvSlots = 4;            // the cores of a block work on different tiles
constexpr uint32_t kConvLine = 512;           // bytes of a fractal, and of a line of GM

// How a convolution in the cube unit's formats comes about: tiling keys.
constexpr uint32_t kConvOnBoth = 0;      // cube cores multiply, vector cores finish
constexpr uint32_t kConvOnCubes = 1;     // cube cores alone
constexpr uint32_t kConvByFractals = 2;  // the cube unit of cores that are both kinds, alone
constexpr uint32_t kConvByTurns = 3;     // such cores, which finish a tile behind the next one

// Sizes are in elements of the model's shapes, N x C x H x W.
struct ConvTiling {
  uint32_t images, channels, height, width;      // measure x
  uint32_t out_channels, out_height, out_width;  // measure y
  uint32_t filter_height, filter_width;
  uint32_t stride_height, stride_width;
  uint32_t dilation_height, dilation_width;
  uint32_t pad_top, pad_left, pad_bottom, pad_right;
  uint32_t tile_rows;       // rows of y's pixels in a tile; 1 where a tile has part of a row
  uint32_t tile_columns;    // pixels of a row: all, or up to kConvMostPixels
  uint32_t tile_channels;   // a multiple of 16
  uint32_t channel_blocks;  // times pixel_blocks: blocks
  uint32_t pixel_blocks;
  uint32_t chunk_planes;  // planes of C0 channels of x that the cube core has in L1 at once
  uint32_t k_step;        // rows of the filters' matrix that it multiplies at once
  uint32_t row_step;      // windows of one row see every row_step-th row: the others stay in GM
  uint32_t hold_filters;  // 0 or 1: the filters of a tile's channels stay in L1 for all its pixels
  // Tiles of pixels that L1 holds with all planes, each for all channels; 0: it holds chunks. With
  // hold_filters all channels' filters stay there.
  uint32_t hold_image;
  uint32_t image_bytes;  // counts a chunk of planes in L1
  uint32_t panel_bytes;  // counts the filters that stay in L1
  uint32_t slot_sums;    // counts a tile's in the workspace; 0: no vector core has anything to do
  uint32_t has_bias;     // 0 or 1
  // Lines of kConvLine bytes of the workspace that cores which are both kinds lay out, in front of
  // slots:
  uint32_t bias_lines;   // counts each block's lines of the bias as fractals
  uint32_t stage_lines;  // with x and room behind it; 0: x is read where it is
  // Tiles of channels of a round, and which round it is: where L2 does not hold the turned filters,
  // those of a round take the place of those before. 0: all tiles are made in one.
  uint32_t round_tiles, round;
  uint32_t reserved;
};

#endif  // OPS_SHARED_CONV_TILING_H_
