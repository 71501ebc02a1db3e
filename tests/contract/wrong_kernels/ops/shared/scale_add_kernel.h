// z = x * alpha + y in float, tile by tile. Self replaces the steps that it gets wrong.
#ifndef WRONG_KERNELS_SHARED_SCALE_ADD_KERNEL_H_
#define WRONG_KERNELS_SHARED_SCALE_ADD_KERNEL_H_

#include "kernel_operator.h"
#include "scale_add_tiling.h"

using namespace AscendC;

template <typename Self>
class ScaleAdd {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const ScaleAddTilingData& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    length_ = rest < tiling.per_core ? rest : tiling.per_core;
    tile_ = tiling.tile;
    alpha_ = tiling.alpha;
    x_.SetGlobalBuffer((__gm__ float*)x + start, length_);
    y_.SetGlobalBuffer((__gm__ float*)y + start, length_);
    z_.SetGlobalBuffer((__gm__ float*)z + start, length_);
    pipe_.InitBuffer(x_queue_, 2, tile_ * sizeof(float));
    pipe_.InitBuffer(y_queue_, 2, tile_ * sizeof(float));
    pipe_.InitBuffer(z_queue_, 2, tile_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    Self& self = static_cast<Self&>(*this);
    for (uint64_t offset = 0; offset < length_; offset += tile_) {
      const uint64_t rest = length_ - offset;
      const uint32_t count = rest < tile_ ? static_cast<uint32_t>(rest) : tile_;
      self.CopyIn(offset, count);
      Compute(self, count);
      self.CopyOut(offset, count);
    }
  }

  __aicore__ inline void CopyIn(uint64_t offset, uint32_t count) {
    LocalTensor<float> x = x_queue_.AllocTensor<float>();
    LocalTensor<float> y = y_queue_.AllocTensor<float>();
    Load(x, x_[offset], count);
    Load(y, y_[offset], count);
    x_queue_.EnQue(x);
    y_queue_.EnQue(y);
  }

  __aicore__ inline void Formula(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 const LocalTensor<float>& y, uint32_t count) {
    Muls(z, x, alpha_, count);
    Add(z, z, y, count);
  }

  __aicore__ inline void CopyOut(uint64_t offset, uint32_t count) {
    LocalTensor<float> z = z_queue_.DeQue<float>();
    Store(z_[offset], z, count);
    z_queue_.FreeTensor(z);
  }

 protected:
  __aicore__ inline void Load(const LocalTensor<float>& to, const GlobalTensor<float>& from,
                              uint32_t count) {
    DataCopyPad(to, from,
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0},
                DataCopyPadExtParams<float>{false, 0, 0, 0});
  }

  __aicore__ inline void Store(const GlobalTensor<float>& to, const LocalTensor<float>& from,
                               uint32_t count) {
    DataCopyPad(to, from,
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0});
  }

  GlobalTensor<float> x_, y_, z_;
  TQue<QuePosition::VECIN, 2> x_queue_, y_queue_;
  TQue<QuePosition::VECOUT, 2> z_queue_;
  float alpha_ = 1.0f;

 private:
  __aicore__ inline void Compute(Self& self, uint32_t count) {
    LocalTensor<float> x = x_queue_.DeQue<float>();
    LocalTensor<float> y = y_queue_.DeQue<float>();
    LocalTensor<float> z = z_queue_.AllocTensor<float>();
    self.Formula(z, x, y, count);
    z_queue_.EnQue(z);
    x_queue_.FreeTensor(x);
    y_queue_.FreeTensor(y);
  }

  TPipe pipe_;
  uint64_t length_ = 0;
  uint32_t tile_ = 0;
};

#endif  // WRONG_KERNELS_SHARED_SCALE_ADD_KERNEL_H_
