// y = act(convolution(x, w) + bias), each channel by itself. A tile is some rows of a plane of y.
// In UB its rows lie as far apart as those of x with their padding, so that each element of the
// filter is one instruction for all of them; what comes out between two rows stays behind.
#include "bending.h"
#include "image_depthwise_tiling.h"
#include "image_slab.h"
#include "plane_filters.h"
#include "plane_numbers.h"

using namespace AscendC;

template <typename T>
class DepthwiseKernel {
 public:
  __aicore__ inline DepthwiseKernel(const ImageDepthwiseTiling& t, TPipe& pipe, GM_ADDR x,
                                    GM_ADDR w, GM_ADDR bias, GM_ADDR y)
      : data_(t),
        t_(t.image),
        bending_{t.which, t.least, t.most, t.alpha},
        room_(t_.tile_rows * t_.padded_width * kC0),
        slab_(t_, pipe, x),
        filters_(pipe, w, t.channels, t_.window_height * t_.window_width) {
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe.InitBuffer(out_, kBuffers, room_ * sizeof(T));
    if constexpr (kWidens) {
      pipe.InitBuffer(wide_, t_.slab_rows * t_.padded_width * kC0 * sizeof(float));
      pipe.InitBuffer(sums_, room_ * sizeof(float));
    }
    if (t.which >= kBendSilu) pipe.InitBuffer(work_, 2 * room_ * sizeof(float));
    if (t.has_bias != 0) bias_.Init(pipe, bias, kC0, t.channels);
  }

  __aicore__ inline void Run() {
    const uint64_t all = t_.planes * t_.tiles;
    const uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * t_.core_tiles;
    for (uint64_t i = first; i < first + t_.core_tiles && i < all; ++i)
      OneTile(i / t_.tiles, static_cast<uint32_t>(i % t_.tiles) * t_.tile_rows);
  }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr uint32_t kC0 = 32 / sizeof(T);
  static constexpr uint32_t kNumbers = 256;    // counts those of bias that come at once
  static constexpr uint32_t kParts = kC0 / 8;  // blocks of floats that a pixel has
  static constexpr bool kWidens = !IsSameType<T, float>::value;

  __aicore__ inline void OneTile(uint64_t plane, uint32_t row) {
    const uint32_t rows = image_pool::Least(t_.tile_rows, t_.out_height - row);
    const auto of_image = static_cast<uint32_t>(plane % ((data_.channels + kC0 - 1) / kC0));
    filters_.Bring(of_image);
    LocalTensor<T> in = slab_.Load(plane, row, rows, static_cast<T>(0));
    LocalTensor<T> out = out_.template AllocTensor<T>();
    const uint32_t count = ((rows - 1) * t_.padded_width + t_.out_width) * kC0;
    if constexpr (kWidens) {
      const LocalTensor<float> wide = wide_.template Get<float>(),
                               sums = sums_.template Get<float>();
      Cast(wide, in, RoundMode::CAST_NONE, slab_.Elements(rows));
      Sum(sums, wide, rows, of_image, count);
      Cast(out, sums, RoundMode::CAST_RINT, count);
    } else {
      Sum(out, in, rows, of_image, count);
    }
    slab_.Free(in);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    DataCopy(y_[(plane * t_.out_height + row) * t_.out_width * kC0], out,
             DataCopyParams(static_cast<uint16_t>(rows), static_cast<uint16_t>(t_.out_width),
                            static_cast<uint16_t>(t_.padded_width - t_.out_width), 0));
    out_.FreeTensor(out);
  }

  // Finished sums of rows of y.
  __aicore__ inline void Sum(const LocalTensor<float>& y, const LocalTensor<float>& x,
                             uint32_t rows, uint32_t of_image, uint32_t count) {
    if (t_.stride_height == t_.stride_width) {
      Taps(y, x, count / kC0);  // a pixel of y and that of x are as far into their rows
    } else {
      const uint32_t pitch = t_.padded_width * kC0;
      if (t_.padded_width > t_.out_width) Duplicate(y, 0.0f, count);
      for (uint32_t row = 0; row < rows; ++row)
        Taps(y[row * pitch], x[row * t_.stride_height * pitch], t_.out_width);
    }
    if (data_.has_bias != 0)
      bias_.Join(y, of_image * kC0, data_.channels - of_image * kC0, count,
                 [](const auto&... operands) { Add(operands...); });
    LocalTensor<float> work;
    if (bending_.which >= kBendSilu) work = work_.template Get<float>();
    bending_(y, work, room_, count);
  }

  __aicore__ inline void Taps(const LocalTensor<float>& y, const LocalTensor<float>& x,
                              uint32_t pixels) {
    uint32_t tap = 0;
    for (uint32_t down = 0; down < t_.window_height; ++down) {
      for (uint32_t across = 0; across < t_.window_width; ++across) {
        const uint32_t from =
            down * t_.dilation_height * t_.padded_width + across * t_.dilation_width;
        OneTap(y, x[from * kC0], tap++, pixels);
      }
    }
  }

  // Adds x times the filters' element; the first one begins the sums.
  __aicore__ inline void OneTap(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                uint32_t tap, uint32_t pixels) {
    const uint32_t stride = t_.stride_width;
    const BinaryRepeatParams strides(kParts, static_cast<uint8_t>(stride * kParts), 0, 8 * kParts,
                                     static_cast<uint8_t>(8 * stride * kParts), 0);
    image_pool::EveryPart(pixels, [&](uint32_t first, uint32_t blocks, uint8_t repeats) {
      for (uint32_t part = 0; part < kParts; ++part) {
        const LocalTensor<float> sums = y[first * kC0 + part * 8],
                                 values = x[first * stride * kC0 + part * 8],
                                 numbers = filters_.At(tap, part);
        const auto lanes = static_cast<uint64_t>(blocks * 8);
        if (tap == 0) {
          Mul(sums, values, numbers, lanes, repeats, strides);
        } else {
          MulAddDst(sums, values, numbers, lanes, repeats, strides);
        }
      }
    });
  }

  const ImageDepthwiseTiling& data_;
  const ImagePoolTiling& t_;
  const bend::Bending<T> bending_;
  const uint32_t room_;  // elements of a tile in UB
  image_pool::Slab<T> slab_;
  image_pool::PlaneFilters<T> filters_;
  conv::PlaneNumbers<T, float, kNumbers> bias_;
  GlobalTensor<T> y_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
  TBuf<TPosition::VECCALC> wide_, sums_, work_;
};

extern "C" __global__ __aicore__ void image_depthwise_conv(GM_ADDR x, GM_ADDR w, GM_ADDR bias,
                                                           GM_ADDR y, GM_ADDR workspace,
                                                           GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ImageDepthwiseTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  DepthwiseKernel<DTYPE_X> op(data, pipe, x, w, bias, y);
  op.Run();
}
