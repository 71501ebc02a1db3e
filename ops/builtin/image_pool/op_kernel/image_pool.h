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

#include "image_slab.h"

namespace image_pool {

using namespace AscendC;

template <typename Formula, typename T>
class Kernel {
  using C = typename Formula::Computed;

 public:
  __aicore__ inline Kernel(const ImagePoolTiling& t, TPipe& pipe, GM_ADDR x, GM_ADDR y)
      : t_(t), slab_(t, pipe, x) {
    y_.SetGlobalBuffer((__gm__ T*)y);
    if constexpr (kWidens) {
      pipe.InitBuffer(wide_, t.slab_rows * t.padded_width * kC0 * sizeof(C));
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
    LocalTensor<T> in = slab_.Load(plane, row, rows, outside);
    LocalTensor<T> out = out_.template AllocTensor<T>();
    const uint32_t count = rows * t_.out_width * kC0;
    if constexpr (kWidens) {
      const LocalTensor<C> wide = wide_.template Get<C>(), sums = sums_.template Get<C>();
      Cast(wide, in, RoundMode::CAST_NONE, slab_.Elements(rows));
      Windows(formula, sums, wide, row, rows);
      Cast(out, sums, RoundMode::CAST_RINT, count);
    } else {
      Windows(formula, out, in, row, rows);
    }
    slab_.Free(in);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    DataCopy(y_[(plane * t_.out_height + row) * t_.out_width * kC0], out, count);
    out_.FreeTensor(out);
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
  Slab<T> slab_;
  GlobalTensor<T> y_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
  TBuf<TPosition::VECCALC> wide_, sums_;
};

}  // namespace image_pool

#endif  // IMAGE_POOL_IMAGE_POOL_H_
