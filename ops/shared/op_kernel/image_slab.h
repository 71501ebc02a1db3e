// What rows of windows see of a plane of an image in NC1HWC0, in UB with the padding around it:
// pixels are blocks of 32 bytes, and each element of a window is an instruction for many of them.
#ifndef OPS_SHARED_IMAGE_SLAB_H_
#define OPS_SHARED_IMAGE_SLAB_H_

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

template <typename T>
class Slab {
 public:
  __aicore__ inline Slab(const ImagePoolTiling& t, TPipe& pipe, GM_ADDR x) : t_(t) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    pipe.InitBuffer(in_, kBuffers, t.slab_rows * t.padded_width * kC0 * sizeof(T));
  }

  // Counts the elements that the windows of rows of y see.
  __aicore__ inline uint32_t Elements(uint32_t rows) const {
    return SlabRows(rows) * t_.padded_width * kC0;
  }

  // Returns what the windows of rows of y see, with the padding around it, `outside` each.
  __aicore__ inline LocalTensor<T> Load(uint64_t plane, uint32_t row, uint32_t rows, T outside) {
    LocalTensor<T> in = in_.template AllocTensor<T>();
    const uint32_t begin = row * t_.stride_height,
                   end = begin + SlabRows(rows);  // counts padded rows
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

  __aicore__ inline void Free(LocalTensor<T>& in) { in_.FreeTensor(in); }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr uint32_t kC0 = 32 / sizeof(T);

  __aicore__ inline uint32_t SlabRows(uint32_t rows) const {
    return (rows - 1) * t_.stride_height + (t_.window_height - 1) * t_.dilation_height + 1;
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

  const ImagePoolTiling& t_;
  GlobalTensor<T> x_;
  TQue<QuePosition::VECIN, kBuffers> in_;
};

}  // namespace image_pool

#endif  // OPS_SHARED_IMAGE_SLAB_H_
