// The mean of every window of an image in NC1HWC0, computed in float.
#include "image_pool.h"

using namespace AscendC;

// A pixel of float16 is two blocks of floats: one instruction for each.
template <typename T>
class MeanFormula {
 public:
  using Computed = float;
  static constexpr uint32_t kC0 = 32 / sizeof(T), kParts = kC0 / 8;

  __aicore__ inline MeanFormula(const ImagePoolTiling& t, TPipe& pipe) : t_(t) {
    pipe.InitBuffer(counts_, t.out_width * kC0 * sizeof(float));
    pipe.InitBuffer(ones_, t.padded_width * kC0 * sizeof(float));
    pipe.InitBuffer(divisors_, t.out_width * kC0 * sizeof(float));
    CountColumns();
  }

  __aicore__ inline void First(const LocalTensor<float>& y, const LocalTensor<float>& x,
                               uint32_t pixels, uint32_t stride) const {
    const UnaryRepeatParams strides(kParts, static_cast<uint8_t>(stride * kParts), 8 * kParts,
                                    static_cast<uint8_t>(8 * stride * kParts));
    image_pool::EveryPart(pixels, [&](uint32_t first, uint32_t blocks, uint8_t repeats) {
      for (uint32_t part = 0; part < kParts; ++part)
        Adds(y[first * kC0 + part * 8], x[first * stride * kC0 + part * 8], 0.0f,
             static_cast<uint64_t>(blocks * 8), repeats, strides);
    });
  }
  __aicore__ inline void Next(const LocalTensor<float>& y, const LocalTensor<float>& x,
                              uint32_t pixels, uint32_t stride) const {
    const BinaryRepeatParams strides(kParts, kParts, static_cast<uint8_t>(stride * kParts),
                                     8 * kParts, 8 * kParts,
                                     static_cast<uint8_t>(8 * stride * kParts));
    image_pool::EveryPart(pixels, [&](uint32_t first, uint32_t blocks, uint8_t repeats) {
      for (uint32_t part = 0; part < kParts; ++part) {
        const LocalTensor<float> sums = y[first * kC0 + part * 8];
        Add(sums, sums, x[first * stride * kC0 + part * 8], static_cast<uint64_t>(blocks * 8),
            repeats, strides);
      }
    });
  }
  // Divides by the rows and columns of each window that lie in the image.
  __aicore__ inline void Finish(const LocalTensor<float>& sums, uint32_t row) const {
    const uint32_t count = t_.out_width * kC0;
    const LocalTensor<float> divisors = divisors_.Get<float>();
    if (t_.counts_padding != 0) {
      Duplicate(divisors, static_cast<float>(t_.window_height * t_.window_width), count);
    } else {
      Muls(divisors, counts_.Get<float>(), static_cast<float>(RowsInImage(row)), count);
    }
    Div(sums, sums, divisors, count);
  }

 private:
  __aicore__ inline uint32_t RowsInImage(uint32_t row) const {
    const uint32_t begin = row * t_.stride_height, end = begin + t_.window_height;
    const uint32_t first = begin > t_.pad_top ? begin : t_.pad_top;
    return image_pool::Least(end, t_.pad_top + t_.height) - first;
  }

  // Sums of a row of ones between zeros.
  __aicore__ inline void CountColumns() {
    if (t_.counts_padding != 0) return;
    const LocalTensor<float> ones = ones_.Get<float>(), counts = counts_.Get<float>();
    Duplicate(ones, 0.0f, t_.padded_width * kC0);
    Duplicate(ones[t_.pad_left * kC0], 1.0f, t_.width * kC0);
    First(counts, ones, t_.out_width, t_.stride_width);
    for (uint32_t across = 1; across < t_.window_width; ++across)
      Next(counts, ones[across * kC0], t_.out_width, t_.stride_width);
  }

  const ImagePoolTiling& t_;
  mutable TBuf<TPosition::VECCALC> counts_, ones_, divisors_;
};

extern "C" __global__ __aicore__ void image_average_pool(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                         GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ImagePoolTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const MeanFormula<DTYPE_X> formula(data, pipe);
  image_pool::Kernel<MeanFormula<DTYPE_X>, DTYPE_X> op(data, pipe, x, y);
  op.Run(formula, static_cast<DTYPE_X>(0));
}
