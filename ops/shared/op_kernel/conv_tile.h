// Tiles of a convolution's output, and the part of the image that each needs.
#ifndef OPS_SHARED_CONV_TILE_H_
#define OPS_SHARED_CONV_TILE_H_

#include "conv_tiling.h"
#include "kernel_operator.h"

namespace conv {

using namespace AscendC;

__aicore__ inline uint32_t UpTo(uint32_t n, uint32_t step) { return (n + step - 1) / step * step; }
__aicore__ inline uint32_t Parts(uint32_t n, uint32_t each) { return (n + each - 1) / each; }
__aicore__ inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// Pixels (row.. + rows) x (column.. + columns) of an image of y, and channels of it.
struct Tile {
  uint32_t image;
  uint32_t row, rows, column, columns;
  uint32_t channel, given;  // channels that y has
  uint32_t channels;        // counts them up to a multiple of 16

  __aicore__ inline uint32_t pixels() const { return rows * columns; }
};

__aicore__ inline Tile TileAt(const ConvTiling& t, uint32_t channel_tile, uint32_t pixel_tile) {
  const uint32_t across = Parts(t.out_width, t.tile_columns);
  const uint32_t down = Parts(t.out_height, t.tile_rows);
  Tile tile;
  tile.channel = channel_tile * t.tile_channels;
  tile.column = pixel_tile % across * t.tile_columns;
  pixel_tile /= across;
  tile.row = pixel_tile % down * t.tile_rows;
  tile.image = pixel_tile / down;
  tile.rows = Least(t.tile_rows, t.out_height - tile.row);
  tile.columns = Least(t.tile_columns, t.out_width - tile.column);
  tile.given = Least(t.tile_channels, t.out_channels - tile.channel);
  tile.channels = UpTo(tile.given, 16);
  return tile;
}

// Returns the first tile of channels of the tiling's round, and what is behind its last one.
__aicore__ inline uint32_t FirstOfRound(const ConvTiling& t) { return t.round * t.round_tiles; }
__aicore__ inline uint32_t EndOfRound(const ConvTiling& t) {
  const uint32_t all = Parts(t.out_channels, t.tile_channels);
  return t.round_tiles == 0 ? all : Least(all, FirstOfRound(t) + t.round_tiles);
}
// Returns the first panel of 16 filters of a round, and how many it has: FRACTAL_Z has no others.
__aicore__ inline uint32_t FirstPanel(const ConvTiling& t) {
  return FirstOfRound(t) * (t.tile_channels / 16);
}
__aicore__ inline uint32_t Panels(const ConvTiling& t) {
  const uint32_t end = EndOfRound(t) * (t.tile_channels / 16);
  return Least(end, Parts(t.out_channels, 16)) - FirstPanel(t);
}

// Walks the tiles of a block: all pixels of some channels, or, where the image stays in L1, all
// channels of some pixels.
class Tiles {
 public:
  __aicore__ inline Tiles(const ConvTiling& t, uint32_t block)
      : t_(t),
        deep_(EndOfRound(t)),
        wide_(t.images * Parts(t.out_height, t.tile_rows) * Parts(t.out_width, t.tile_columns)),
        first_channel_(FirstOfRound(t) + block % t.channel_blocks),
        channel_(first_channel_),
        first_(block / t.channel_blocks),
        pixel_(first_) {
    if (block >= t.channel_blocks * t.pixel_blocks) channel_ = deep_;  // it has none
  }

  __aicore__ inline bool IsDone() const { return channel_ >= deep_ || pixel_ >= wide_; }
  // Tells whether no tile before had these channels, or pixels; whether no other will have these.
  __aicore__ inline bool FillsChannels() const { return pixel_ == first_; }
  __aicore__ inline bool BeginsPixels() const { return channel_ == first_channel_; }
  __aicore__ inline bool EndsPixels() const { return channel_ + t_.channel_blocks >= deep_; }
  __aicore__ inline Tile Get() const { return TileAt(t_, channel_, pixel_); }
  __aicore__ inline uint32_t Number() const { return number_; }  // counts the tiles before this one
  __aicore__ inline void Next() {
    ++number_;
    t_.hold_image != 0
        ? NextOf(channel_, deep_, t_.channel_blocks, first_channel_, pixel_, wide_, t_.pixel_blocks)
        : NextOf(pixel_, wide_, t_.pixel_blocks, first_, channel_, deep_, t_.channel_blocks);
  }

 private:
  // Counts `inner` up; behind its end it begins again, and `outer` is counted.
  __aicore__ inline static void NextOf(uint32_t& inner, uint32_t end, uint32_t step, uint32_t begin,
                                       uint32_t& outer, uint32_t outer_end, uint32_t outer_step) {
    inner += step;
    if (inner < end) return;
    outer += outer_step;
    inner = outer < outer_end ? begin : end;
  }

  const ConvTiling& t_;
  uint32_t deep_, wide_;
  uint32_t first_channel_, channel_, first_, pixel_;
  uint32_t number_ = 0;
};

// Planes of x that come into L1 together, of the rows that a tile sees.
struct Chunk {
  Tile tile;
  uint32_t plane, planes;
};

// Walks the chunks of planes of x that the tiles of a block need. Cores that share an image or
// filters begin with different chunks of each.
class Chunks {
 public:
  __aicore__ inline Chunks(const ConvTiling& t, uint32_t block, uint32_t planes)
      : t_(t),
        tiles_(t, block),
        count_(Parts(planes, t.chunk_planes)),
        first_((block % t.channel_blocks + block / t.channel_blocks) % count_) {}

  __aicore__ inline bool IsDone() const { return tiles_.IsDone(); }
  __aicore__ inline uint32_t Count() const { return count_; }  // counts the chunks of a tile
  __aicore__ inline uint32_t PlaneOf(uint32_t number) const {
    return (first_ + number) % count_ * t_.chunk_planes;
  }
  __aicore__ inline Tile GetTile() const { return tiles_.Get(); }
  __aicore__ inline uint32_t Plane() const { return PlaneOf(number_); }
  // Tells whether it is of the first tile of its channels, and the first one of that.
  __aicore__ inline bool FillsChannels() const { return tiles_.FillsChannels(); }
  __aicore__ inline bool BeginsChannels() const { return FillsChannels() && number_ == 0; }
  __aicore__ inline void Next() {
    if (++number_ < count_) return;
    number_ = 0;
    tiles_.Next();
  }

 private:
  const ConvTiling& t_;
  Tiles tiles_;
  uint32_t count_, first_;
  uint32_t number_ = 0;  // numbers the tile's chunk
};

// Rows of x that the windows of a tile see, and how many they see above and below the image.
struct Slab {
  uint32_t top, height;
  uint32_t pad_top, pad_bottom;
};

__aicore__ inline Slab SlabOf(const ConvTiling& t, const Tile& tile) {
  const uint32_t begin = tile.row * t.stride_height;  // counted from the first row of padding
  if (t.row_step > 1) return Slab{begin, tile.rows, 0, 0};
  const uint32_t end =
      begin + (tile.rows - 1) * t.stride_height + (t.filter_height - 1) * t.dilation_height + 1;
  const uint32_t first = begin > t.pad_top ? begin : t.pad_top;
  const uint32_t last = Least(end, t.pad_top + t.height);
  return Slab{first - t.pad_top, last - first, first - begin, end - last};
}

}  // namespace conv

#endif  // OPS_SHARED_CONV_TILE_H_
