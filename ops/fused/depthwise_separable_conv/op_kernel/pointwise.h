// The second half: a slot times the filters of some channels of y; the sums come back in panels of
// 16 channels, pixel by pixel, which are normalised, narrowed and stored as planes.
#ifndef DEPTHWISE_SEPARABLE_CONV_POINTWISE_H_
#define DEPTHWISE_SEPARABLE_CONV_POINTWISE_H_

#include "depthwise_separable_tiling.h"
#include "lane_batch_norm.h"
#include "lib/matmul_intf.h"
#include "window.h"

namespace separable {

template <typename T>
class Pointwise {
 public:
  __aicore__ inline void Init(const DepthwiseSeparableTiling& t, TPipe& pipe, GM_ADDR w,
                              const Vectors& vectors, GM_ADDR y) {
    t_ = &t;
    base_m_ = static_cast<uint32_t>(t.cube.baseM);
    base_n_ = static_cast<uint32_t>(t.cube.baseN);
    w_.SetGlobalBuffer((__gm__ T*)w);
    y_.SetGlobalBuffer((__gm__ T*)y);
    for (uint32_t i = 0; i < kVectors; ++i) vectors_[i].SetGlobalBuffer((__gm__ T*)vectors.at[i]);
    pipe.InitBuffer(sums_, 1, base_m_ * base_n_ * sizeof(float));
    pipe.InitBuffer(out_, 1, base_m_ * base_n_ * sizeof(T));
    pipe.InitBuffer(stored_, 1, kVectors * base_n_ * sizeof(T));
    pipe.InitBuffer(wide_, kVectors * base_n_ * sizeof(float));
  }

  // `channels` of y from `channel` on, a multiple of 16.
  __aicore__ inline void Run(uint64_t image, const window::Tile& tile, const GlobalTensor<T>& slot,
                             uint32_t channel, uint32_t channels) {
    const uint32_t pixels = tile.pixels(), high = (pixels + base_m_ - 1) / base_m_;
    mm.SetTail(static_cast<int32_t>(pixels), static_cast<int32_t>(channels),
               static_cast<int32_t>(t_->channels));
    mm.SetTensorA(slot);
    mm.SetTensorB(w_[uint64_t{channel} * kC0], true);
    const uint64_t pixel = uint64_t{tile.row} * t_->window.out_width + tile.column;
    for (uint32_t block = 0; mm.template Iterate<true>(); ++block) {
      const uint32_t down = block % high * base_m_, right = block / high * base_n_;
      OneBlock(image, pixel + down, window::Least(base_m_, pixels - down), channel + right,
               window::Least(base_n_, channels - right));
    }
  }

  // FRACTAL_Z of filters of one element is FRACTAL_NZ of the matrix channels of y x channels of x.
  Matmul<MatmulType<TPosition::GM, CubeFormat::NZ, T>,
         MatmulType<TPosition::GM, CubeFormat::NZ, T, true>,
         MatmulType<TPosition::VECIN, CubeFormat::NZ, float>>
      mm;

 private:
  static constexpr uint32_t kC0 = 32 / sizeof(T);
  static constexpr uint32_t kPanel = 16;  // channels

  __aicore__ inline void OneBlock(uint64_t image, uint64_t pixel, uint32_t pixels, uint32_t channel,
                                  uint32_t channels) {
    LocalTensor<float> sums = sums_.template AllocTensor<float>();
    mm.template GetTensorC<true>(sums, 0, true);
    sums_.EnQue(sums);
    sums = sums_.template DeQue<float>();
    Bring(channel, channels);
    const LaneBatchNorm norm(wide_.Get<float>(), base_n_);
    LocalTensor<T> out = out_.template AllocTensor<T>();
    for (uint32_t first = 0; first < channels; first += kPanel) {
      const LocalTensor<float> panel = sums[first * base_m_];
      norm.Apply(panel, first, kPanel / kLane, pixels);
      ToPlanes(out[first * base_m_], panel, pixels);
    }
    sums_.FreeTensor(sums);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    const uint64_t planes = (t_->out_channels + kC0 - 1) / kC0,
                   all = uint64_t{t_->window.out_height} * t_->window.out_width;
    for (uint32_t first = 0; first < channels; first += kC0) {
      const uint64_t plane = image * planes + (channel + first) / kC0;
      DataCopy(y_[(plane * all + pixel) * kC0], out[first * base_m_], pixels * kC0);
    }
    out_.FreeTensor(out);
  }

  // The vectors of the block's channels.
  __aicore__ inline void Bring(uint32_t channel, uint32_t channels) {
    if (brought_ && channel == channel_) return;
    brought_ = true;
    channel_ = channel;
    LocalTensor<T> stored = stored_.template AllocTensor<T>();
    for (uint32_t i = 0; i < kVectors; ++i)
      LoadPadded(stored[i * base_n_], vectors_[i][channel], channels);
    stored_.EnQue(stored);
    stored = stored_.template DeQue<T>();
    const LocalTensor<float> wide = wide_.Get<float>();
    if constexpr (IsSameType<T, float>::value) {
      Adds(wide, stored, 0.0f, kVectors * base_n_);
    } else {
      Cast(wide, stored, RoundMode::CAST_NONE, kVectors * base_n_);
    }
    stored_.FreeTensor(stored);
    LaneBatchNorm(wide, base_n_).Prepare(t_->point_epsilon);
  }

  // A panel is a plane of C0 channels, or two of them.
  __aicore__ inline void ToPlanes(const LocalTensor<T>& out, const LocalTensor<float>& panel,
                                  uint32_t pixels) {
    if constexpr (IsSameType<T, float>::value) {
      const UnaryRepeatParams strides(1, kPanel / kLane, kLane, kPanel);
      const uint32_t whole = pixels / kLane, rest = pixels % kLane;
      for (uint32_t plane = 0; plane < kPanel / kLane; ++plane) {
        const LocalTensor<T> to = out[plane * base_m_ * kLane];
        const LocalTensor<float> from = panel[plane * kLane];
        if (whole > 0)
          Adds(to, from, 0.0f, static_cast<uint64_t>(kRepeat), static_cast<uint8_t>(whole),
               strides);
        if (rest > 0)
          Adds(to[whole * kRepeat], from[whole * kLane * kPanel], 0.0f,
               static_cast<uint64_t>(rest * kLane), 1, strides);
      }
    } else {
      Cast(out, panel, RoundMode::CAST_RINT, pixels * kPanel);
    }
  }

  const DepthwiseSeparableTiling* t_ = nullptr;
  uint32_t base_m_ = 0, base_n_ = 0, channel_ = 0;
  bool brought_ = false;
  GlobalTensor<T> w_, y_, vectors_[kVectors];
  TQue<QuePosition::VECIN, 1> sums_, stored_;
  TQue<QuePosition::VECOUT, 1> out_;
  TBuf<TPosition::VECCALC> wide_;
};

}  // namespace separable

#endif  // DEPTHWISE_SEPARABLE_CONV_POINTWISE_H_
