// Tiles of a convolution's output, and the part of the image that each needs.
#ifndef OPS_SHARED_CONV_TILE_H_
#define OPS_SHARED_CONV_TILE_H_

#include "conv_tiling.h"
#include "kernel_operator.h"

namespace conv {

using namespace AscendC;

constexpr uint32_t kImageBytes = 192 * 1024;   // of L1: rows of C0 channels of an image
constexpr uint32_t kOperandBytes = 32 * 1024;  // half of L0A and of L0B

__aicore__ inline uint32_t UpTo(uint32_t n, uint32_t step) { return (n + step - 1) / step * step; }
__aicore__ inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// Pixels (row.. + rows) x (column.. + columns) of an image of y, and channels of it.
struct Tile {
  uint64_t image;
  uint32_t row, rows, column, columns;
  uint32_t channel, channels;  // multiples of 16

  __aicore__ inline uint32_t pixels() const { return rows * columns; }
};

__aicore__ inline Tile TileAt(const ConvTiling& t, uint64_t index) {
  const uint32_t across = (t.out_width + t.tile_columns - 1) / t.tile_columns;
  const uint32_t down = (t.out_height + t.tile_rows - 1) / t.tile_rows;
  const uint32_t deep = (t.out_channels + t.tile_channels - 1) / t.tile_channels;
  Tile tile;
  tile.channel = static_cast<uint32_t>(index % deep) * t.tile_channels;
  index /= deep;
  tile.column = static_cast<uint32_t>(index % across) * t.tile_columns;
  index /= across;
  tile.row = static_cast<uint32_t>(index % down) * t.tile_rows;
  tile.image = index / down;
  tile.rows = Least(t.tile_rows, t.out_height - tile.row);
  tile.columns = Least(t.tile_columns, t.out_width - tile.column);
  tile.channels = UpTo(Least(t.tile_channels, t.out_channels - tile.channel), 16);
  return tile;
}

// Rows of x that the windows of a tile see, and how many they see above and below the image.
struct Slab {
  uint32_t top, height;
  uint32_t pad_top, pad_bottom;
};

__aicore__ inline Slab SlabOf(const ConvTiling& t, const Tile& tile) {
  const uint32_t begin = tile.row * t.stride_height;  // counted from the first row of padding
  const uint32_t end =
      begin + (tile.rows - 1) * t.stride_height + (t.filter_height - 1) * t.dilation_height + 1;
  const uint32_t first = begin > t.pad_top ? begin : t.pad_top;
  const uint32_t last = Least(end, t.pad_top + t.height);
  return Slab{first - t.pad_top, last - first, first - begin, end - last};
}

}  // namespace conv

#endif  // OPS_SHARED_CONV_TILE_H_
