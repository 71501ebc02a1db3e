// z[m, :] = x[m, :] + b. Self says what is added to a row.
#ifndef WRONG_KERNELS_SHARED_ROW_BIAS_KERNEL_H_
#define WRONG_KERNELS_SHARED_ROW_BIAS_KERNEL_H_

#include "kernel_operator.h"
#include "rows_tiling.h"

using namespace AscendC;

template <typename Self>
class RowBias {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR b, GM_ADDR z, const RowsTilingData& tiling) {
    rows_ = tiling.rows;
    columns_ = tiling.columns;
    x_.SetGlobalBuffer((__gm__ float*)x, rows_ * columns_);
    b_.SetGlobalBuffer((__gm__ float*)b, columns_);
    z_.SetGlobalBuffer((__gm__ float*)z, rows_ * columns_);
    pipe_.InitBuffer(x_queue_, 1, columns_ * sizeof(float));
    pipe_.InitBuffer(b_queue_, 1, columns_ * sizeof(float));
    pipe_.InitBuffer(z_queue_, 1, columns_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    for (uint32_t row = 0; row < rows_; ++row) {
      LocalTensor<float> x = x_queue_.AllocTensor<float>();
      LocalTensor<float> b = b_queue_.AllocTensor<float>();
      Load(x, x_[row * columns_]);
      Load(b, b_);
      x_queue_.EnQue(x);
      b_queue_.EnQue(b);
      x = x_queue_.DeQue<float>();
      b = b_queue_.DeQue<float>();
      LocalTensor<float> z = z_queue_.AllocTensor<float>();
      static_cast<Self&>(*this).AddTo(z, x, b, row);
      z_queue_.EnQue(z);
      x_queue_.FreeTensor(x);
      b_queue_.FreeTensor(b);
      z = z_queue_.DeQue<float>();
      DataCopyPad(z_[row * columns_], z, DataCopyExtParams{1, Bytes(), 0, 0, 0});
      z_queue_.FreeTensor(z);
    }
  }

 protected:
  GlobalTensor<float> b_;
  uint32_t rows_ = 0, columns_ = 0;

 private:
  __aicore__ inline uint32_t Bytes() const {
    return static_cast<uint32_t>(columns_ * sizeof(float));
  }
  __aicore__ inline void Load(const LocalTensor<float>& to, const GlobalTensor<float>& from) {
    DataCopyPad(to, from, DataCopyExtParams{1, Bytes(), 0, 0, 0},
                DataCopyPadExtParams<float>{false, 0, 0, 0});
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> x_queue_, b_queue_;
  TQue<QuePosition::VECOUT, 1> z_queue_;
  GlobalTensor<float> x_, z_;
};

#endif  // WRONG_KERNELS_SHARED_ROW_BIAS_KERNEL_H_
