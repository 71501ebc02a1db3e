// z = f(x), element by element: every core takes a share, which passes through UB in tiles. Self
// says what f is, and replaces the steps that it gets wrong.
#ifndef WRONG_KERNELS_KINDS_ELEMENTS_H_
#define WRONG_KERNELS_KINDS_ELEMENTS_H_

#include "copies.h"

template <typename Self, typename In = float, typename Out = In>
class Elements {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    length_ = rest < tiling.per_core ? rest : tiling.per_core;
    tile_ = tiling.tile;
    alpha_ = tiling.alpha;
    x_.SetGlobalBuffer((__gm__ In*)x + start, length_);
    z_.SetGlobalBuffer((__gm__ Out*)z + start, length_);
    pipe_.InitBuffer(x_queue_, 2, tile_ * sizeof(In));
    pipe_.InitBuffer(z_queue_, 2, tile_ * sizeof(Out));
    pipe_.InitBuffer(work_, tile_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    Self& self = static_cast<Self&>(*this);
    for (uint64_t offset = 0; offset < length_; offset += tile_) {
      const uint64_t rest = length_ - offset;
      const uint32_t count = rest < tile_ ? static_cast<uint32_t>(rest) : tile_;
      LocalTensor<In> x = x_queue_.template AllocTensor<In>();
      Load(x, x_[offset], count);
      x_queue_.EnQue(x);
      x = x_queue_.template DeQue<In>();
      LocalTensor<Out> z = z_queue_.template AllocTensor<Out>();
      self.Formula(z, x, count);
      x_queue_.FreeTensor(x);
      z_queue_.EnQue(z);
      z = z_queue_.template DeQue<Out>();
      self.CopyOut(offset, z, count);
      z_queue_.FreeTensor(z);
    }
  }

  __aicore__ inline void CopyOut(uint64_t offset, const LocalTensor<Out>& z, uint32_t count) {
    Store(z_[offset], z, count);
  }

 protected:
  TBuf<TPosition::VECCALC> work_;  // holds as many floats as a tile has elements
  GlobalTensor<Out> z_;
  uint32_t tile_ = 0;
  float alpha_ = 1.0f;

 private:
  TPipe pipe_;
  TQue<QuePosition::VECIN, 2> x_queue_;
  TQue<QuePosition::VECOUT, 2> z_queue_;
  GlobalTensor<In> x_;
  uint64_t length_ = 0;
};

#endif  // WRONG_KERNELS_KINDS_ELEMENTS_H_
