// The cube core's part of a convolution: the image's windows as rows of a matrix (page
// "LoadData_3D"), times the filters.
#ifndef OPS_SHARED_CONV_CUBE_H_
#define OPS_SHARED_CONV_CUBE_H_

#include "conv_tile.h"
#include "epilogue.h"

namespace conv {

// T: of x and w.
template <typename T>
class CubeCore {
  using Sum = typename product::SumOf<T>::Type;

 public:
  // outside: what windows see of x beside the image.
  __aicore__ inline CubeCore(const ConvTiling& tiling, TPipe& pipe, GM_ADDR x, GM_ADDR w, T outside)
      : t_(tiling), outside_(outside) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    w_.SetGlobalBuffer((__gm__ T*)w);
    pipe.InitBuffer(image_, kBuffers, kImageBytes);
    pipe.InitBuffer(filter_, kBuffers, kOperandBytes);
    pipe.InitBuffer(rows_, kBuffers, kOperandBytes);
    pipe.InitBuffer(columns_, kBuffers, kOperandBytes);
    pipe.InitBuffer(sums_, 1, kConvTilePixels * t_.tile_channels * sizeof(Sum));
  }

  // Leaves the sums of a tile at `to`, pixel by pixel, tile_channels of each.
  __aicore__ inline void OneTile(const Tile& tile, const GlobalTensor<Sum>& to) {
    LocalTensor<Sum> sums = sums_.template AllocTensor<Sum>();
    const uint32_t planes = UpTo(t_.channels, kC0) / kC0;
    const Slab slab = SlabOf(t_, tile);
    for (uint32_t plane = 0; plane < planes; ++plane) OnePlane(tile, slab, plane, sums);
    sums_.EnQue(sums);
    sums = sums_.template DeQue<Sum>();
    const uint32_t pixels = tile.pixels();
    Fixpipe(
        to, sums,
        FixpipeParamsV220(tile.channels, pixels, UpTo(pixels, kFractal), t_.tile_channels, false));
    sums_.FreeTensor(sums);
  }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr uint32_t kC0 = 32 / sizeof(T);
  static constexpr uint32_t kFractal = 16;
  static constexpr uint32_t kFractalBlocks = 16;  // of 32 bytes

  // Adds what C0 channels of x give.
  __aicore__ inline void OnePlane(const Tile& tile, const Slab& slab, uint32_t plane,
                                  const LocalTensor<Sum>& sums) {
    LocalTensor<T> image = image_.template AllocTensor<T>();
    const uint64_t planes = UpTo(t_.channels, kC0) / kC0;
    const uint64_t row = (tile.image * planes + plane) * t_.height + slab.top;
    DataCopy(image, x_[row * t_.width * kC0], slab.height * t_.width * kC0);
    image_.EnQue(image);
    image = image_.template DeQue<T>();
    const uint32_t k = t_.filter_height * t_.filter_width * kC0;
    for (uint32_t start = 0; start < k; start += t_.k_step)
      OneStep(tile, slab, plane, start, Least(t_.k_step, k - start), image, sums);
    image_.FreeTensor(image);
  }

  // `count` rows of the filter's matrix from row `start` of the plane on.
  __aicore__ inline void OneStep(const Tile& tile, const Slab& slab, uint32_t plane, uint32_t start,
                                 uint32_t count, const LocalTensor<T>& image,
                                 const LocalTensor<Sum>& sums) {
    LoadFilter(tile, plane * t_.filter_height * t_.filter_width + start / kC0, count / kC0);
    LoadRows(tile, slab, start, count, image);
    LocalTensor<T> rows = rows_.template DeQue<T>(), columns = columns_.template DeQue<T>();
    MmadParams product;
    // Whole fractals: a single row would be read as the plain row that page "Mmad" describes.
    product.m = static_cast<uint16_t>(UpTo(tile.pixels(), kFractal));
    product.n = static_cast<uint16_t>(tile.channels);
    product.k = static_cast<uint16_t>(count);
    product.cmatrixInitVal = plane == 0 && start == 0;
    Mmad(sums, rows, columns, product);
    PipeBarrier<PIPE_M>();
    rows_.FreeTensor(rows);
    columns_.FreeTensor(columns);
  }

  // Fractals of FRACTAL_Z: `count` rows of them from `first` on, the tile's channels of each.
  __aicore__ inline void LoadFilter(const Tile& tile, uint32_t first, uint32_t count) {
    const uint32_t all = UpTo(t_.out_channels, kFractal) / kFractal;
    const uint32_t wanted = tile.channels / kFractal;
    LocalTensor<T> filter = filter_.template AllocTensor<T>();
    const uint64_t at = uint64_t{first} * all + tile.channel / kFractal;
    const DataCopyParams copy(static_cast<uint16_t>(count),
                              static_cast<uint16_t>(wanted * kFractalBlocks),
                              static_cast<uint16_t>((all - wanted) * kFractalBlocks), 0);
    DataCopy(filter, w_[at * kFractal * kC0], copy);
    filter_.EnQue(filter);
    filter = filter_.template DeQue<T>();
    LocalTensor<T> columns = columns_.template AllocTensor<T>();
    LoadData2DParams load;
    load.repeatTimes = static_cast<uint8_t>(count * wanted);
    load.srcStride = 1;
    LoadData(columns, filter, load);
    filter_.FreeTensor(filter);
    columns_.EnQue(columns);
  }

  __aicore__ inline void LoadRows(const Tile& tile, const Slab& slab, uint32_t start,
                                  uint32_t count, const LocalTensor<T>& image) {
    LocalTensor<T> rows = rows_.template AllocTensor<T>();
    LoadData3DParamsV2<T> load;
    load.padList[0] = static_cast<uint8_t>(t_.pad_left);
    load.padList[1] = static_cast<uint8_t>(t_.pad_right);
    load.padList[2] = static_cast<uint8_t>(slab.pad_top);
    load.padList[3] = static_cast<uint8_t>(slab.pad_bottom);
    load.l1H = static_cast<uint16_t>(slab.height);
    load.l1W = static_cast<uint16_t>(t_.width);
    load.channelSize = kC0;
    load.kExtension = static_cast<uint16_t>(count);
    load.mExtension = static_cast<uint16_t>(tile.pixels());
    load.kStartPt = static_cast<uint16_t>(start);
    load.mStartPt = static_cast<uint16_t>(tile.column);  // a tile of several rows begins at 0
    load.strideW = static_cast<uint8_t>(t_.stride_width);
    load.strideH = static_cast<uint8_t>(t_.stride_height);
    load.filterW = static_cast<uint8_t>(t_.filter_width);
    load.filterH = static_cast<uint8_t>(t_.filter_height);
    load.dilationFilterW = static_cast<uint8_t>(t_.dilation_width);
    load.dilationFilterH = static_cast<uint8_t>(t_.dilation_height);
    load.padValue = outside_;
    LoadData(rows, image, load);
    rows_.EnQue(rows);
  }

  const ConvTiling& t_;
  T outside_;
  GlobalTensor<T> x_, w_;
  TQue<QuePosition::A1, kBuffers> image_;
  TQue<QuePosition::B1, kBuffers> filter_;
  TQue<QuePosition::A2, kBuffers> rows_;
  TQue<QuePosition::B2, kBuffers> columns_;
  TQue<QuePosition::CO1, 1> sums_;
};

}  // namespace conv

#endif  // OPS_SHARED_CONV_CUBE_H_
