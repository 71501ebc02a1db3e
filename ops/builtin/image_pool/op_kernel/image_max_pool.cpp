// The largest element of every window of an image in NC1HWC0.
#include "image_pool.h"

using namespace AscendC;

template <typename T>
struct MaxFormula {
  using Computed = T;
  static constexpr uint32_t kC0 = 32 / sizeof(T);

  __aicore__ inline void First(const LocalTensor<T>& y, const LocalTensor<T>& x, uint32_t pixels,
                               uint32_t stride) const {
    Larger(y, x, x, pixels, stride, stride);
  }
  __aicore__ inline void Next(const LocalTensor<T>& y, const LocalTensor<T>& x, uint32_t pixels,
                              uint32_t stride) const {
    Larger(y, y, x, pixels, 1, stride);
  }
  __aicore__ inline void Finish(const LocalTensor<T>&, uint32_t) const {}

 private:
  // Pixels of a and b are so many blocks apart.
  __aicore__ inline void Larger(const LocalTensor<T>& y, const LocalTensor<T>& a,
                                const LocalTensor<T>& b, uint32_t pixels, uint32_t step_a,
                                uint32_t step_b) const {
    const BinaryRepeatParams strides(1, static_cast<uint8_t>(step_a), static_cast<uint8_t>(step_b),
                                     8, static_cast<uint8_t>(8 * step_a),
                                     static_cast<uint8_t>(8 * step_b));
    image_pool::EveryPart(pixels, [&](uint32_t first, uint32_t blocks, uint8_t repeats) {
      Max(y[first * kC0], a[first * step_a * kC0], b[first * step_b * kC0],
          static_cast<uint64_t>(blocks * kC0), repeats, strides);
    });
  }
};

extern "C" __global__ __aicore__ void image_max_pool(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                     GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ImagePoolTiling);
  GET_TILING_DATA(data, tiling);
  constexpr float kLargest = 3.402823466e38f;
  const float least = -kLargest - kLargest;  // minus infinity
  TPipe pipe;
  image_pool::Kernel<MaxFormula<DTYPE_X>, DTYPE_X> op(data, pipe, x, y);
  op.Run(MaxFormula<DTYPE_X>{}, static_cast<DTYPE_X>(least));
}
