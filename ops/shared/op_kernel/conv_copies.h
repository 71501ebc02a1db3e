// How the image, the filters and the bias of a convolution come to the cube unit on chips that copy
// from GM to L1, and from there to the bias table.
#ifndef OPS_SHARED_CONV_COPIES_H_
#define OPS_SHARED_CONV_COPIES_H_

#include "conv_tile.h"
#include "epilogue.h"

namespace conv {

// Blocks of 32 bytes that one copy can leave out between two of its parts.
constexpr uint32_t kMostGap = 65535;

template <typename T>
class Copies {
  using Sum = typename product::SumOf<T>::Type;
  using Bias = typename product::SumOf<T>::Bias;

 public:
  // Whether the first product begins from the bias, or the bias is a product in front of it.
  static constexpr bool kBiasInTable = true, kBiasIsProduct = false;

  __aicore__ inline Copies(const ConvTiling& tiling, TPipe& pipe, GM_ADDR x, GM_ADDR w,
                           GM_ADDR bias)
      : t_(tiling), planes_(Parts(tiling.channels, kC0)) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    w_.SetGlobalBuffer((__gm__ T*)w);
    if (t_.has_bias == 0) return;
    bias_in_.SetGlobalBuffer((__gm__ Bias*)bias);
    const uint32_t count = UpTo(t_.tile_channels, kTableBytes / sizeof(Bias));
    pipe.InitBuffer(bias_, 1, count * sizeof(Bias));
    pipe.InitBuffer(table_, 1, count * sizeof(Sum));
  }

  static constexpr bool kInParts = false;  // EndImage brings a chunk in one copy

  // The rows of some planes that the tile sees.
  __aicore__ inline void EndImage(const LocalTensor<T>& image, const Chunk& chunk) {
    const uint32_t planes = chunk.planes;
    const Slab slab = SlabOf(t_, chunk.tile);
    const uint64_t whole = uint64_t{t_.height} * t_.width;
    const uint32_t seen = slab.height * t_.width;
    const GlobalTensor<T> from = x_[((uint64_t{chunk.tile.image} * planes_ + chunk.plane) * whole +
                                     uint64_t{slab.top} * t_.width) *
                                    kC0];
    if (t_.row_step == 1 && planes > 1 && seen <= kMostGap && whole - seen <= kMostGap) {
      DataCopy(image, from,
               DataCopyParams(static_cast<uint16_t>(planes), static_cast<uint16_t>(seen),
                              static_cast<uint16_t>(whole - seen), 0));
    } else {
      const DataCopyParams rows(static_cast<uint16_t>(slab.height), static_cast<uint16_t>(t_.width),
                                static_cast<uint16_t>((t_.row_step - 1) * t_.width), 0);
      for (uint32_t p = 0; p < planes; ++p)
        DataCopy(image[p * seen * kC0], from[p * whole * kC0], rows);
    }
  }

  // `count` rows of fractals of FRACTAL_Z from `first` on, the tile's channels of each.
  __aicore__ inline void LoadFilters(const LocalTensor<T>& to, const Tile& tile, uint32_t first,
                                     uint32_t count) {
    constexpr uint32_t kMostRows = 4095;  // limits the rows of a copy
    for (uint32_t done = 0; done < count; done += kMostRows)
      CopyFilters(to[done * tile.channels * kC0], tile, first + done,
                  Least(kMostRows, count - done));
  }

  // The tile's numbers, zeros behind them, in the bias table.
  __aicore__ inline void LoadBias(const Tile& tile) {
    LocalTensor<Bias> bias = bias_.template AllocTensor<Bias>();
    const uint32_t count = UpTo(tile.channels, kTableBytes / sizeof(Bias));
    if (tile.given < count) {
      const auto blocks = static_cast<uint16_t>(count * sizeof(Bias) / 32);
      InitConstValue(bias, InitConstValueParams<Bias>(1, blocks, 0, Bias(0)));
      PipeBarrier<PIPE_MTE2>();
    }
    // One row with zeros up to whole blocks.
    DataCopy(bias, bias_in_[tile.channel],
             Nd2NzParams(1, 1, static_cast<uint16_t>(tile.given), 0,
                         static_cast<uint16_t>(tile.given), 1, 1, 0));
    bias_.EnQue(bias);
    bias = bias_.template DeQue<Bias>();
    LocalTensor<Sum> table = table_.template AllocTensor<Sum>();
    DataCopy(table, bias,
             DataCopyParams(1, static_cast<uint16_t>(count * sizeof(Bias) / kTableBytes), 0, 0));
    bias_.FreeTensor(bias);
    table_.EnQue(table);
  }

  // The first product of a tile behind LoadBias.
  __aicore__ inline void MultiplyFromBias(const LocalTensor<Sum>& sums, const LocalTensor<T>& rows,
                                          const LocalTensor<T>& columns, MmadParams product) {
    product.cmatrixInitVal = false;
    product.cmatrixSource = true;
    LocalTensor<Sum> table = table_.template DeQue<Sum>();
    Mmad(sums, rows, columns, table, product);
    table_.FreeTensor(table);
  }

 private:
  static constexpr uint32_t kC0 = 32 / sizeof(T);
  static constexpr uint32_t kFractal = 16;
  static constexpr uint32_t kFractalBlocks = 16;  // counts blocks of 32 bytes
  static constexpr uint32_t kTableBytes = 64;     // what a copy to the bias table counts in

  __aicore__ inline void CopyFilters(const LocalTensor<T>& to, const Tile& tile, uint32_t first,
                                     uint32_t count) {
    const uint32_t all = Parts(t_.out_channels, kFractal), wanted = tile.channels / kFractal;
    const uint64_t at = uint64_t{first} * all + tile.channel / kFractal;
    DataCopy(
        to, w_[at * kFractal * kC0],
        DataCopyParams(static_cast<uint16_t>(count), static_cast<uint16_t>(wanted * kFractalBlocks),
                       static_cast<uint16_t>((all - wanted) * kFractalBlocks), 0));
  }

  const ConvTiling& t_;
  const uint32_t planes_;  // counts the planes of x
  GlobalTensor<T> x_, w_;
  GlobalTensor<Bias> bias_in_;
  TQue<QuePosition::C1, 1> bias_;
  TQue<QuePosition::C2, 1> table_;
};

}  // namespace conv

#endif  // OPS_SHARED_CONV_COPIES_H_
