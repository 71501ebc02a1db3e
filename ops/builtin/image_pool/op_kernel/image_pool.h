// Windows of images in NC1HWC0 on the vector unit. A tile is some rows of a plane of y; what it
// sees of x lies in UB with the padding around it, so that each element of a window is one
// instruction for a row: pixels are blocks of 32 bytes, and a stride of the window is one of the
// blocks.
//
//   struct Formula {                       // what becomes of the elements of windows
//     using Computed = half;               // T, or float
//     static void First(y, x, count of pixels, stride);
//     static void Next(y, x, ...);
//     void Finish(y, row);                 // ends a row of y
//   };
#ifndef IMAGE_POOL_IMAGE_POOL_H_
#define IMAGE_POOL_IMAGE_POOL_H_

#include "image_pool_tiling.h"
#include "kernel_operator.h"

namespace image_pool {

using namespace AscendC;

__aicore__ inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// Pixels of 8 blocks are one iteration; an instruction has up to 255 of them.
constexpr uint32_t kPixels = 8, kMostRepeats = 255;

// Calls call(first pixel, lanes of a block's worth, repeats) for `count` pixels.
template <typename Call>
__aicore__ inline void EveryPart(uint32_t count, const Call& call) {
  for (uint32_t done = 0; done + kPixels <= count;) {
    const uint32_t repeats = Least((count - done) / kPixels, kMostRepeats);
    call(done, kPixels, static_cast<uint8_t>(repeats));
    done += repeats * kPixels;
  }
  if (count % kPixels > 0) call(count / kPixels * kPixels, count % kPixels, uint8_t{1});
}

template <typename Formula, typename T>
class Kernel {
  using C = typename Formula::Computed;

 public:
  __aicore__ inline Kernel(const ImagePoolTiling& t, TPipe& pipe, GM_ADDR x, GM_ADDR y) : t_(t) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    slab_ = t.slab_rows * t.padded_width * kC0;
    pipe.InitBuffer(in_, kBuffers, slab_ * sizeof(T));
    if constexpr (kWidens) {
      pipe.InitBuffer(wide_, slab_ * sizeof(C));
      pipe.InitBuffer(sums_, t.tile_rows * t.out_width * kC0 * sizeof(C));
    }
    pipe.InitBuffer(out_, kBuffers, t.tile_rows * t.out_width * kC0 * sizeof(T));
  }

  // outside: what stands in the padding.
  __aicore__ inline void Run(const Formula& formula, T outside) {
    const uint64_t all = t_.planes * t_.tiles;
    const uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * t_.core_tiles;
    for (uint64_t i = first; i < first + t_.core_tiles && i < all; ++i)
      OneTile(formula, i / t_.tiles, static_cast<uint32_t>(i % t_.tiles) * t_.tile_rows, outside);
  }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr uint32_t kC0 = 32 / sizeof(T);
  static constexpr bool kWidens = !IsSameType<C, T>::value;

  __aicore__ inline void OneTile(const Formula& formula, uint64_t plane, uint32_t row, T outside) {
    const uint32_t rows = Least(t_.tile_rows, t_.out_height - row);
    LocalTensor<T> in = Load(plane, row, rows, outside);
    LocalTensor<T> out = out_.template AllocTensor<T>();
    const uint32_t count = rows * t_.out_width * kC0;
    if constexpr (kWidens) {
      const LocalTensor<C> wide = wide_.template Get<C>(), sums = sums_.template Get<C>();
      Cast(wide, in, RoundMode::CAST_NONE, SlabRows(rows) * t_.padded_width * kC0);
      Windows(formula, sums, wide, row, rows);
      Cast(out, sums, RoundMode::CAST_RINT, count);
    } else {
      Windows(formula, out, in, row, rows);
    }
    in_.FreeTensor(in);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    DataCopy(y_[(plane * t_.out_height + row) * t_.out_width * kC0], out, count);
    out_.FreeTensor(out);
  }

  __aicore__ inline uint32_t SlabRows(uint32_t rows) const {
    return (rows - 1) * t_.stride_height + (t_.window_height - 1) * t_.dilation_height + 1;
  }

  // Rows of x with the padding around them.
  __aicore__ inline LocalTensor<T> Load(uint64_t plane, uint32_t row, uint32_t rows, T outside) {
    LocalTensor<T> in = in_.template AllocTensor<T>();
    const uint32_t begin = row * t_.stride_height, end = begin + SlabRows(rows);  // are padded rows
    const uint32_t first = begin > t_.pad_top ? begin : t_.pad_top;
    const uint32_t last = Least(end, t_.pad_top + t_.height);
    const uint32_t pitch = t_.padded_width * kC0;
    if (first > begin) Duplicate(in, outside, (first - begin) * pitch);
    if (last < end) Duplicate(in[(last - begin) * pitch], outside, (end - last) * pitch);
    const uint32_t inner = (first - begin) * pitch;
    Columns(in[inner], last - first, 0, t_.pad_left, outside);
    Columns(in[inner], last - first, t_.pad_left + t_.width, t_.padded_width, outside);
    DataCopy(in[inner + t_.pad_left * kC0],
             x_[(plane * t_.height + first - t_.pad_top) * t_.width * kC0],
             DataCopyParams(static_cast<uint16_t>(last - first), static_cast<uint16_t>(t_.width), 0,
                            static_cast<uint16_t>(t_.padded_width - t_.width)));
    in_.EnQue(in);
    return in_.template DeQue<T>();
  }

  // Columns from `from` to `to` of the rows: padding.
  __aicore__ inline void Columns(const LocalTensor<T>& rows, uint32_t count, uint32_t from,
                                 uint32_t to, T outside) {
    for (uint32_t column = from; column < to; ++column) {
      for (uint32_t row = 0; row < count; row += kPixels) {
        const uint32_t high = Least(kPixels, count - row);
        Duplicate(rows[(row * t_.padded_width + column) * kC0], outside,
                  static_cast<uint64_t>(high * kC0), 1, static_cast<uint16_t>(t_.padded_width), 8);
      }
    }
  }

  __aicore__ inline void Windows(const Formula& formula, const LocalTensor<C>& y,
                                 const LocalTensor<C>& x, uint32_t first, uint32_t rows) {
    for (uint32_t row = 0; row < rows; ++row) {
      const LocalTensor<C> line = y[row * t_.out_width * kC0];
      for (uint32_t down = 0; down < t_.window_height; ++down) {
        const uint32_t from =
            (row * t_.stride_height + down * t_.dilation_height) * t_.padded_width;
        for (uint32_t across = 0; across < t_.window_width; ++across) {
          const LocalTensor<C> tap = x[(from + across * t_.dilation_width) * kC0];
          if (down == 0 && across == 0) {
            formula.First(line, tap, t_.out_width, t_.stride_width);
          } else {
            formula.Next(line, tap, t_.out_width, t_.stride_width);
          }
        }
      }
      formula.Finish(line, first + row);
    }
  }

  const ImagePoolTiling& t_;
  uint32_t slab_ = 0;
  GlobalTensor<T> x_, y_;
  TQue<QuePosition::VECIN, kBuffers> in_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
  TBuf<TPosition::VECCALC> wide_, sums_;
};

}  // namespace image_pool

#endif  // IMAGE_POOL_IMAGE_POOL_H_
