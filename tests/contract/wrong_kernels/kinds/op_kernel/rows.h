// A value for each row of x [rows, columns], a row at a time: every core takes a share of the rows.
// Self says which value: Value(z, x) leaves it in z[0].
#ifndef WRONG_KERNELS_KINDS_ROWS_H_
#define WRONG_KERNELS_KINDS_ROWS_H_

#include "copies.h"

template <typename Self, typename In = float, typename Out = In>
class Rows {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    rows_ = rest < tiling.per_core ? rest : tiling.per_core;
    columns_ = tiling.columns;
    tile_ = tiling.tile;
    x_.SetGlobalBuffer((__gm__ In*)x + start * columns_, rows_ * columns_);
    z_.SetGlobalBuffer((__gm__ Out*)z + start, rows_);
    pipe_.InitBuffer(x_queue_, 1, tile_ * sizeof(In));
    pipe_.InitBuffer(z_queue_, 1, 32);
    pipe_.InitBuffer(wide_, tile_ * sizeof(float));
    pipe_.InitBuffer(work_, tile_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    Self& self = static_cast<Self&>(*this);
    for (uint64_t row = 0; row < rows_; ++row) {
      LocalTensor<In> x = x_queue_.template AllocTensor<In>();
      Load(x, x_[row * columns_], columns_);
      x_queue_.EnQue(x);
      x = x_queue_.template DeQue<In>();
      LocalTensor<Out> z = z_queue_.template AllocTensor<Out>();
      self.Value(z, x);
      x_queue_.FreeTensor(x);
      z_queue_.EnQue(z);
      z = z_queue_.template DeQue<Out>();
      self.CopyOut(row, z);
      z_queue_.FreeTensor(z);
    }
  }

  __aicore__ inline void CopyOut(uint64_t row, const LocalTensor<Out>& z) { Store(z_[row], z, 1); }

 protected:
  TBuf<TPosition::VECCALC> wide_, work_;  // hold as many floats as a tile has elements
  GlobalTensor<Out> z_;
  uint32_t columns_ = 0, tile_ = 0;

 private:
  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> x_queue_;
  TQue<QuePosition::VECOUT, 1> z_queue_;
  GlobalTensor<In> x_;
  uint64_t rows_ = 0;
};

#endif  // WRONG_KERNELS_KINDS_ROWS_H_
