// The mean of every channel of an image in NC1HWC0: pixels are added half to half, until one is
// left.
#include "image_global_tiling.h"
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
class GlobalMean {
 public:
  __aicore__ inline GlobalMean(const ImageGlobalTiling& t, TPipe& pipe, GM_ADDR x, GM_ADDR y)
      : t_(t) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    const uint32_t elements = t.tile_planes * t.pixels * kC0;
    pipe.InitBuffer(in_, kBuffers, elements * sizeof(T));
    pipe.InitBuffer(sums_, elements * sizeof(float));
    pipe.InitBuffer(means_, 2 * t.tile_planes * kC0 * sizeof(float));
    pipe.InitBuffer(out_, kBuffers, t.tile_planes * kC0 * sizeof(T));
  }

  __aicore__ inline void Run() {
    const uint64_t all = uint64_t{t_.images} * t_.tiles;
    const uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * t_.core_tiles;
    for (uint64_t i = first; i < first + t_.core_tiles && i < all; ++i)
      OneTile(i / t_.tiles, static_cast<uint32_t>(i % t_.tiles) * t_.tile_planes);
  }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr uint32_t kC0 = 32 / sizeof(T);

  __aicore__ inline void OneTile(uint64_t image, uint32_t plane) {
    const uint32_t rest = t_.planes - plane, planes = rest < t_.tile_planes ? rest : t_.tile_planes;
    const uint32_t elements = planes * t_.pixels * kC0;
    LocalTensor<T> in = in_.template AllocTensor<T>();
    DataCopy(in, x_[(image * t_.planes + plane) * t_.pixels * kC0], elements);
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    const LocalTensor<float> sums = sums_.template Get<float>(),
                             means = means_.template Get<float>(), pixels = means[planes * kC0];
    if constexpr (IsSameType<T, float>::value) {
      Adds(sums, in, 0.0f, elements);
    } else {
      Cast(sums, in, RoundMode::CAST_NONE, elements);
    }
    in_.FreeTensor(in);
    for (uint32_t p = 0; p < planes; ++p) Sum(sums[p * t_.pixels * kC0], means[p * kC0]);
    Duplicate(pixels, static_cast<float>(t_.pixels), planes * kC0);
    Div(means, means, pixels, planes * kC0);
    Store(image * t_.channels + plane * kC0, means, planes * kC0, t_.channels - plane * kC0);
  }

  // The sum of a plane's pixels.
  __aicore__ inline void Sum(const LocalTensor<float>& plane, const LocalTensor<float>& sum) {
    for (uint32_t count = t_.pixels; count > 1; count = (count + 1) / 2) {
      const uint32_t half = (count + 1) / 2;
      Add(plane, plane, plane[half * kC0], (count - half) * kC0);
    }
    Adds(sum, plane, 0.0f, kC0);
  }

  // Drops what pads the last plane.
  __aicore__ inline void Store(uint64_t at, const LocalTensor<float>& means, uint32_t count,
                               uint32_t channels) {
    LocalTensor<T> out = out_.template AllocTensor<T>();
    if constexpr (IsSameType<T, float>::value) {
      Adds(out, means, 0.0f, count);
    } else {
      Cast(out, means, RoundMode::CAST_RINT, count);
    }
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    const uint32_t kept = count < channels ? count : channels;
    DataCopyPad(y_[at], out,
                DataCopyExtParams{1, static_cast<uint32_t>(kept * sizeof(T)), 0, 0, 0});
    out_.FreeTensor(out);
  }

  const ImageGlobalTiling& t_;
  GlobalTensor<T> x_, y_;
  TQue<QuePosition::VECIN, kBuffers> in_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
  TBuf<TPosition::VECCALC> sums_, means_;
};

extern "C" __global__ __aicore__ void image_global_average_pool(GM_ADDR x, GM_ADDR y,
                                                                GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ImageGlobalTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  GlobalMean<DTYPE_X>(data, pipe, x, y).Run();
}
