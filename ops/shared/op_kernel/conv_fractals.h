// How the image, the filters and the bias of a convolution come to the cube unit on chips that
// bring whole fractals of 512 bytes from GM to L1 and nothing else: a fractal of x is 16 pixels of
// a plane, one of FRACTAL_Z 16 filters. There is no way to the bias table: the bias is a product,
// of rows of ones and of fractals whose first row it is and whose other rows are zero.
#ifndef OPS_SHARED_CONV_FRACTALS_H_
#define OPS_SHARED_CONV_FRACTALS_H_

#include "conv_tile.h"
#include "epilogue.h"

namespace conv {

template <typename T>
class Fractals {
 public:
  // Sums of int8 get their bias where they are finished.
  static constexpr bool kBiasInTable = false, kBiasIsProduct = !IsSameType<T, int8_t>::value;

  // bias: as fractals (conv_lay_out.h).
  __aicore__ inline Fractals(const ConvTiling& tiling, TPipe& pipe, GM_ADDR x, GM_ADDR w,
                             GM_ADDR bias)
      : t_(tiling), planes_(Parts(tiling.channels, kC0)) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    w_.SetGlobalBuffer((__gm__ T*)w);
    if (t_.has_bias == 0 || !kBiasIsProduct) return;
    bias_in_.SetGlobalBuffer((__gm__ T*)bias);
    pipe.InitBuffer(bias_, 1, t_.tile_channels * kC0 * sizeof(T));
  }

  // The rows of some planes that the tile sees come in parts, between which the cube unit gets its
  // work, and then EndImage brings the rest. They are runs of pixels that are side by side in GM.
  static constexpr bool kInParts = true;

  __aicore__ inline void LoadPart(const LocalTensor<T>& image, const Chunk& chunk, uint32_t part,
                                  uint32_t parts) {
    const Runs runs = RunsOf(chunk);
    const GlobalTensor<T> from = x_[PlaceInX(chunk)];
    const uint32_t each = runs.pixels / kFractal;
    const uint64_t all = uint64_t{runs.planes} * runs.rows * each;
    const auto end = static_cast<uint32_t>(all * (part + 1) / parts);
    for (auto i = static_cast<uint32_t>(all * part / parts); i < end;) {
      const uint32_t run = i / each, in = i % each * kFractal * kC0,
                     count = Least(each - i % each, end - i);
      Load(image[run * runs.pixels * kC0 + in], from[RunAt(runs, run) + in], count);
      i += count;
    }
  }

  // The last fractal of a run ends with it, so that some pixels come twice. A run of less than a
  // fractal has other pixels behind it, in GM and, until the next run comes there, in L1.
  __aicore__ inline void EndImage(const LocalTensor<T>& image, const Chunk& chunk) {
    const Runs runs = RunsOf(chunk);
    if (runs.pixels % kFractal == 0) return;
    const GlobalTensor<T> from = x_[PlaceInX(chunk)];
    const bool is_less = runs.pixels < kFractal;
    const uint32_t last = is_less ? 0 : (runs.pixels - kFractal) * kC0;
    PipeBarrier<PIPE_MTE2>();
    for (uint32_t run = 0; run < runs.planes * runs.rows; ++run) {
      Load(image[run * runs.pixels * kC0 + last], from[RunAt(runs, run) + last], 1);
      if (is_less) PipeBarrier<PIPE_MTE2>();
    }
  }

  // `count` rows of fractals of FRACTAL_Z from `first` on, the tile's channels of each.
  __aicore__ inline void LoadFilters(const LocalTensor<T>& to, const Tile& tile, uint32_t first,
                                     uint32_t count) {
    const uint32_t all = Panels(t_), wanted = tile.channels / kFractal;
    const GlobalTensor<T> from =
        w_[(uint64_t{first} * all + tile.channel / kFractal - FirstPanel(t_)) * kFractal * kC0];
    if (wanted == all) return Load(to, from, count * all);
    for (uint32_t row = 0; row < count; ++row)
      Load(to[row * wanted * kFractal * kC0], from[uint64_t{row} * all * kFractal * kC0], wanted);
  }

  __aicore__ inline void LoadBias(const Tile& tile) {
    LocalTensor<T> bias = bias_.template AllocTensor<T>();
    Load(bias, bias_in_[tile.channel * kC0], tile.channels / kFractal);
    bias_.EnQue(bias);
  }
  // Fills rows of L0A, and columns of L0B: their product is the bias in every row.
  __aicore__ inline void FillRows(const LocalTensor<T>& rows, uint32_t count) {
    InitConstValue(rows, InitConstValueParams<T>(1, static_cast<uint16_t>(count / kFractal), 0,
                                                 static_cast<T>(1)));
  }
  __aicore__ inline void FillColumns(const LocalTensor<T>& columns, uint32_t channels) {
    LocalTensor<T> bias = bias_.template DeQue<T>();
    LoadData(columns, bias, Next(channels / kFractal));
    bias_.FreeTensor(bias);
  }

 private:
  static constexpr uint32_t kC0 = 32 / sizeof(T);
  static constexpr uint32_t kFractal = 16;
  static constexpr uint32_t kMost = 255;  // fractals of an instruction

  // One fractal behind the other.
  __aicore__ inline static LoadData2DParams Next(uint32_t count) {
    LoadData2DParams load;
    load.repeatTimes = static_cast<uint8_t>(count);
    load.srcStride = 1;
    return load;
  }

  __aicore__ inline static void Load(const LocalTensor<T>& to, const GlobalTensor<T>& from,
                                     uint32_t count) {
    for (uint32_t done = 0; done < count; done += kMost)
      LoadData(to[done * kFractal * kC0], from[uint64_t{done} * kFractal * kC0],
               Next(Least(kMost, count - done)));
  }

  // `planes` times `rows` runs of `pixels`; `pitch` pixels from row to row in GM.
  struct Runs {
    uint32_t planes, rows, pixels;
    uint64_t pitch;
  };

  // Whole planes are one run, and rows without gaps are one for each plane.
  __aicore__ inline Runs RunsOf(const Chunk& chunk) const {
    const uint32_t rows = SlabOf(t_, chunk.tile).height;
    if (rows == t_.height) return {1, 1, chunk.planes * rows * t_.width, 0};
    if (t_.row_step == 1) return {chunk.planes, 1, rows * t_.width, 0};
    return {chunk.planes, rows, t_.width, uint64_t{t_.row_step} * t_.width};
  }

  // Elements from the chunk's first one to a run, and from that of x to the chunk's.
  __aicore__ inline uint64_t RunAt(const Runs& runs, uint32_t run) const {
    const uint64_t plane = uint64_t{t_.height} * t_.width;
    return (run / runs.rows * plane + run % runs.rows * runs.pitch) * kC0;
  }
  __aicore__ inline uint64_t PlaceInX(const Chunk& chunk) const {
    const uint64_t row = (uint64_t{chunk.tile.image} * planes_ + chunk.plane) * t_.height;
    return (row + SlabOf(t_, chunk.tile).top) * t_.width * kC0;
  }

  const ConvTiling& t_;
  const uint32_t planes_;  // counts the planes of x
  GlobalTensor<T> x_, w_, bias_in_;
  TQue<QuePosition::B1, 1> bias_;
};

}  // namespace conv

#endif  // OPS_SHARED_CONV_FRACTALS_H_
