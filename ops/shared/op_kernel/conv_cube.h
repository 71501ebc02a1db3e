// The cube core's part of a convolution: the image's windows as rows of a matrix (page
// "LoadData_3D"), times the filters, from the bias on.
//
// Planes of C0 channels of x come into L1 in chunks, and every chunk is multiplied in steps that
// fill half of L0A or of L0B. Filters stay in L1 for all tiles of the same channels where they have
// room, else the rows of each step come anew. Cores that share an image or filters begin with
// different chunks, so that each reads a part of them from memory and the rest out of L2.
#ifndef OPS_SHARED_CONV_CUBE_H_
#define OPS_SHARED_CONV_CUBE_H_

#include "conv_copies.h"
#include "wait_for.h"

namespace conv {

// T: of x and w. Ways: how they and the bias come to the cube unit.
template <typename T, typename Ways = Copies<T>>
class CubeCore {
  using Sum = typename product::SumOf<T>::Type;

 public:
  // outside: what windows see of x beside the image.
  __aicore__ inline CubeCore(const ConvTiling& tiling, TPipe& pipe, GM_ADDR x, GM_ADDR w,
                             GM_ADDR bias, T outside = static_cast<T>(0))
      : t_(tiling),
        taps_(tiling.filter_height * tiling.filter_width),
        outside_(outside),
        ways_(tiling, pipe, x, w, bias) {
    planes_ = Parts(t_.channels, kC0);
    pipe.InitBuffer(image_, t_.hold_image != 0 ? t_.hold_image : kBuffers, t_.image_bytes);
    if (t_.hold_filters != 0) {
      pipe.InitBuffer(panel_, t_.panel_bytes);
    } else {
      pipe.InitBuffer(filter_, kConvFilterBuffers, kConvOperand);
    }
    pipe.InitBuffer(rows_, kBuffers, kConvOperand);
    pipe.InitBuffer(columns_, kBuffers, kConvOperand);
    pipe.InitBuffer(sums_, kBuffers, kConvMostSums * sizeof(Sum));
  }

  // Calls `store(tile, number, sums)` for the tiles of this block, counted from 0, with their sums,
  // bias included, in L0C; how many they were.
  template <typename Store>
  __aicore__ inline uint32_t Run(const Store& store) {
    return t_.hold_image != 0 ? RunHeld(store) : RunChunks(store);
  }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr uint32_t kC0 = 32 / sizeof(T);
  static constexpr uint32_t kFractal = 16;
  static constexpr uint32_t kInOrder = 10;  // fractals of sums from which on products keep order

  // Chunks are asked for one ahead of their products.
  template <typename Store>
  __aicore__ inline uint32_t RunChunks(const Store& store) {
    const auto block = static_cast<uint32_t>(GetBlockIdx());
    Chunks ahead(t_, block, planes_);
    Ask(ahead);
    EndAsked();
    Tiles tiles(t_, block);
    for (; !tiles.IsDone(); tiles.Next()) {
      const Tile tile = tiles.Get();
      OneTile(tile, tiles.Number(), store, [&](bool begun, const LocalTensor<Sum>& sums) {
        for (uint32_t i = 0; i < ahead.Count(); ++i) {
          const bool fills = t_.hold_filters != 0 && ahead.BeginsChannels();
          if (!fills) Ask(ahead);
          LocalTensor<T> image = image_.template DeQue<T>();
          OneChunk(tile, ahead.PlaneOf(i), i == 0 && !begun, sums, image);
          image_.FreeTensor(image);
          if (fills) Ask(ahead);  // the filters before have been read
          EndAsked();
        }
      });
    }
    return tiles.Number();
  }

  // All planes of a tile's pixels stay in L1 for all of its channels, and, where they have room,
  // all filters.
  template <typename Store>
  __aicore__ inline uint32_t RunHeld(const Store& store) {
    Tiles tiles(t_, static_cast<uint32_t>(GetBlockIdx()));
    if (!tiles.IsDone()) AskFor({tiles.Get(), 0, planes_}, 1);
    EndAsked();
    LocalTensor<T> image;
    for (; !tiles.IsDone(); tiles.Next()) {
      const Tile tile = tiles.Get();
      if (tiles.BeginsPixels()) {
        image = image_.template DeQue<T>();
        AskForNext(tiles);
      }
      if (t_.hold_filters != 0 && tiles.FillsChannels()) {
        FillPanel(tile, 0, planes_ * taps_);
        WaitFor<HardEvent::MTE2_MTE1>();
      }
      OneTile(tile, tiles.Number(), store, [&](bool begun, const LocalTensor<Sum>& sums) {
        OneChunk(tile, 0, !begun, sums, image);
      });
      if (!tiles.EndsPixels()) continue;
      image_.FreeTensor(image);
      EndAsked();
    }
    return tiles.Number();
  }

  // Asks for the planes of the block's next pixels, while all channels of these are multiplied.
  __aicore__ inline void AskForNext(const Tiles& tiles) {
    Tiles next = tiles;
    uint32_t channels = 1;
    for (; !next.EndsPixels(); next.Next()) ++channels;
    next.Next();
    if (!next.IsDone()) AskFor({next.Get(), 0, planes_}, channels);
  }

  // add(whether the bias has begun the sums, sums)
  template <typename Store, typename Add>
  __aicore__ inline void OneTile(const Tile& tile, uint32_t number, const Store& store,
                                 const Add& add) {
    LocalTensor<Sum> sums = sums_.template AllocTensor<Sum>();
    add(t_.has_bias != 0 && BeginWithBias(tile, sums), sums);
    sums_.EnQue(sums);
    sums = sums_.template DeQue<Sum>();
    store(tile, number, sums);
    sums_.FreeTensor(sums);
  }

  // Brings a chunk into L1, with its filters where they stay there and are not there yet.
  __aicore__ inline void Ask(Chunks& ahead) {
    if (ahead.IsDone()) return;
    const Tile tile = ahead.GetTile();
    const uint32_t plane = ahead.Plane(), planes = Least(t_.chunk_planes, planes_ - plane);
    if (t_.hold_filters != 0 && ahead.FillsChannels()) {
      if (ahead.BeginsChannels()) WaitFor<HardEvent::MTE1_MTE2>();
      // The image's flag tells of the filters, too: copies are done in order.
      FillPanel(tile, plane * taps_, planes * taps_);
    }
    AskFor({tile, plane, planes}, 1);
    ahead.Next();
  }

  // Asks for a chunk that comes into L1 while as many are multiplied.
  __aicore__ inline void AskFor(const Chunk& chunk, uint32_t chunks) {
    coming_ = image_.template AllocTensor<T>();
    asked_ = chunk;
    is_asked_ = true;
    part_ = 0;
    parts_ = chunks * Parts(t_.chunk_planes * taps_ * kC0, t_.k_step);
    if constexpr (!Ways::kInParts) EndAsked();
  }
  // Brings a part of what is asked for, between two steps.
  __aicore__ inline void NextPart() {
    if constexpr (Ways::kInParts) {
      if (!is_asked_ || part_ >= parts_) return;
      ways_.LoadPart(coming_, asked_, part_, parts_);
      ++part_;
    }
  }
  __aicore__ inline void EndAsked() {
    if (!is_asked_) return;
    if constexpr (Ways::kInParts) {
      while (part_ < parts_) NextPart();
    }
    ways_.EndImage(coming_, asked_);
    image_.EnQue(coming_);
    is_asked_ = false;
  }

  // Adds what the channels of some planes give.
  __aicore__ inline void OneChunk(const Tile& tile, uint32_t plane, bool is_first,
                                  const LocalTensor<Sum>& sums, const LocalTensor<T>& image) {
    const uint32_t planes = Least(t_.chunk_planes, planes_ - plane);
    const Slab slab = SlabOf(t_, tile);
    const uint32_t k = planes * taps_ * kC0;
    for (uint32_t start = 0; start < k; start += t_.k_step) {
      const uint32_t count = Least(t_.k_step, k - start);
      LoadColumns(tile, plane * taps_ + start / kC0, count / kC0);
      LoadRows(tile, slab, planes, start, count, image);
      Multiply(tile, count, is_first && start == 0, sums);
      NextPart();
    }
  }

  // Brings the tile's part of the bias. False: no product has been made yet.
  __aicore__ inline bool BeginWithBias(const Tile& tile, const LocalTensor<Sum>& sums) {
    if constexpr (Ways::kBiasInTable) ways_.LoadBias(tile);
    if constexpr (Ways::kBiasIsProduct) {
      ways_.LoadBias(tile);
      LocalTensor<T> rows = rows_.template AllocTensor<T>();
      ways_.FillRows(rows, UpTo(tile.pixels(), kFractal));
      rows_.EnQue(rows);
      LocalTensor<T> columns = columns_.template AllocTensor<T>();
      ways_.FillColumns(columns, tile.channels);
      columns_.EnQue(columns);
      Multiply(tile, kC0, true, sums);
    }
    return Ways::kBiasIsProduct;
  }

  __aicore__ inline void Multiply(const Tile& tile, uint32_t count, bool is_first,
                                  const LocalTensor<Sum>& sums) {
    LocalTensor<T> rows = rows_.template DeQue<T>(), columns = columns_.template DeQue<T>();
    MmadParams product;
    // Whole fractals: a single row would be read as the plain row that page "Mmad" describes.
    product.m = static_cast<uint16_t>(UpTo(tile.pixels(), kFractal));
    product.n = static_cast<uint16_t>(tile.channels);
    product.k = static_cast<uint16_t>(count);
    product.cmatrixInitVal = is_first;
    const bool from_table = Ways::kBiasInTable && is_first && t_.has_bias != 0;
    if (!from_table) Mmad(sums, rows, columns, product);
    if constexpr (Ways::kBiasInTable) {
      if (from_table) ways_.MultiplyFromBias(sums, rows, columns, product);
    }
    // Page "Mmad": products of fewer fractals may overtake each other.
    if (product.m / kFractal * (product.n / kFractal) < kInOrder) PipeBarrier<PIPE_M>();
    rows_.FreeTensor(rows);
    columns_.FreeTensor(columns);
  }

  // Returns where rows of fractals from `first` on of the tile's filters stay.
  __aicore__ inline LocalTensor<T> InPanel(const Tile& tile, uint32_t first) {
    const uint32_t before = t_.hold_image != 0 ? tile.channel * planes_ * taps_ : 0;
    return panel_.template Get<T>()[(before + first * tile.channels) * kC0];
  }

  __aicore__ inline void FillPanel(const Tile& tile, uint32_t first, uint32_t count) {
    ways_.LoadFilters(InPanel(tile, first), tile, first, count);
  }

  __aicore__ inline void LoadColumns(const Tile& tile, uint32_t first, uint32_t count) {
    LocalTensor<T> columns = columns_.template AllocTensor<T>();
    LoadData2DParams load;
    load.repeatTimes = static_cast<uint8_t>(count * tile.channels / kFractal);
    load.srcStride = 1;
    if (t_.hold_filters != 0) {
      LoadData(columns, InPanel(tile, first), load);
    } else {
      LocalTensor<T> filter = filter_.template AllocTensor<T>();
      ways_.LoadFilters(filter, tile, first, count);
      filter_.EnQue(filter);
      filter = filter_.template DeQue<T>();
      LoadData(columns, filter, load);
      filter_.FreeTensor(filter);
    }
    columns_.EnQue(columns);
  }

  __aicore__ inline void LoadRows(const Tile& tile, const Slab& slab, uint32_t planes,
                                  uint32_t start, uint32_t count, const LocalTensor<T>& image) {
    LocalTensor<T> rows = rows_.template AllocTensor<T>();
    LoadData3DParamsV2<T> load;
    load.padList[0] = static_cast<uint8_t>(t_.pad_left);
    load.padList[1] = static_cast<uint8_t>(t_.pad_right);
    load.padList[2] = static_cast<uint8_t>(slab.pad_top);
    load.padList[3] = static_cast<uint8_t>(slab.pad_bottom);
    load.l1H = static_cast<uint16_t>(slab.height);
    load.l1W = static_cast<uint16_t>(t_.width);
    load.channelSize = static_cast<uint16_t>(planes * kC0);
    load.kExtension = static_cast<uint16_t>(count);
    load.mExtension = static_cast<uint16_t>(tile.pixels());
    load.kStartPt = static_cast<uint16_t>(start);
    load.mStartPt = static_cast<uint16_t>(tile.column);  // a tile of several rows begins at 0
    load.strideW = static_cast<uint8_t>(t_.stride_width);
    load.strideH = static_cast<uint8_t>(t_.row_step > 1 ? 1 : t_.stride_height);
    load.filterW = static_cast<uint8_t>(t_.filter_width);
    load.filterH = static_cast<uint8_t>(t_.filter_height);
    load.dilationFilterW = static_cast<uint8_t>(t_.dilation_width);
    load.dilationFilterH = static_cast<uint8_t>(t_.dilation_height);
    load.padValue = outside_;
    LoadData(rows, image, load);
    rows_.EnQue(rows);
  }

  const ConvTiling& t_;
  const uint32_t taps_;  // counts the taps of a filter's plane
  const T outside_;
  Ways ways_;
  uint32_t planes_ = 0;  // counts the planes of x
  Chunk asked_;          // what comes next into L1
  LocalTensor<T> coming_;
  bool is_asked_ = false;
  uint32_t part_ = 0, parts_ = 1;
  TQue<QuePosition::A1, kBuffers> image_;
  TQue<QuePosition::B1, kConvFilterBuffers> filter_;
  TBuf<TPosition::B1> panel_;
  TQue<QuePosition::A2, kBuffers> rows_;
  TQue<QuePosition::B2, kBuffers> columns_;
  TQue<QuePosition::CO1, kBuffers> sums_;
};

}  // namespace conv

#endif  // OPS_SHARED_CONV_CUBE_H_
