// z[m] = sum of x[m, :] in half, added up in Accumulator: chunks of a row are added to 64 partial
// sums, which are added at the end.
#ifndef WRONG_KERNELS_SHARED_ROW_SUM_KERNEL_H_
#define WRONG_KERNELS_SHARED_ROW_SUM_KERNEL_H_

#include "kernel_operator.h"
#include "rows_tiling.h"

using namespace AscendC;

template <typename Accumulator>
class RowSum {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const RowsTilingData& tiling) {
    rows_ = tiling.rows;
    columns_ = tiling.columns;
    x_.SetGlobalBuffer((__gm__ half*)x, rows_ * columns_);
    z_.SetGlobalBuffer((__gm__ half*)z, rows_);
    pipe_.InitBuffer(x_queue_, 1, columns_ * sizeof(half));
    pipe_.InitBuffer(z_queue_, 1, 32);
    pipe_.InitBuffer(wide_, columns_ * sizeof(Accumulator));
    pipe_.InitBuffer(sums_, kLanes * sizeof(Accumulator));
    pipe_.InitBuffer(work_, kLanes * sizeof(Accumulator));
  }

  __aicore__ inline void Process() {
    for (uint32_t row = 0; row < rows_; ++row) {
      LocalTensor<half> x = x_queue_.AllocTensor<half>();
      DataCopyPad(x, x_[row * columns_],
                  DataCopyExtParams{1, static_cast<uint32_t>(columns_ * sizeof(half)), 0, 0, 0},
                  DataCopyPadExtParams<half>{false, 0, 0, 0});
      x_queue_.EnQue(x);
      Sum();
      LocalTensor<half> z = z_queue_.DeQue<half>();
      DataCopyPad(z_[row], z, DataCopyExtParams{1, sizeof(half), 0, 0, 0});
      z_queue_.FreeTensor(z);
    }
  }

 private:
  static constexpr uint32_t kLanes = 64;
  static constexpr bool kWidens = !IsSameType<Accumulator, half>::value;

  __aicore__ inline void Sum() {
    LocalTensor<half> x = x_queue_.DeQue<half>();
    LocalTensor<half> z = z_queue_.AllocTensor<half>();
    LocalTensor<Accumulator> sums = sums_.Get<Accumulator>();
    Duplicate(sums, static_cast<Accumulator>(0.0f), static_cast<int32_t>(kLanes));
    if constexpr (kWidens) {
      LocalTensor<Accumulator> wide = wide_.Get<Accumulator>();
      Cast(wide, x, RoundMode::CAST_NONE, columns_);
      AddUp(sums, wide);
      Cast(z, sums, RoundMode::CAST_RINT, 1);
    } else {
      AddUp(sums, x);
      Adds(z, sums, static_cast<half>(0.0f), 1);
    }
    x_queue_.FreeTensor(x);
    z_queue_.EnQue(z);
  }

  // The sum of everything is left in sums[0].
  __aicore__ inline void AddUp(const LocalTensor<Accumulator>& sums,
                               const LocalTensor<Accumulator>& values) {
    for (uint32_t at = 0; at < columns_; at += kLanes) Add(sums, sums, values[at], kLanes);
    LocalTensor<Accumulator> work = work_.Get<Accumulator>();
    ReduceSum<Accumulator>(sums, sums, work, static_cast<int32_t>(kLanes));
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> x_queue_;
  TQue<QuePosition::VECOUT, 1> z_queue_;
  TBuf<TPosition::VECCALC> wide_, sums_, work_;
  GlobalTensor<half> x_, z_;
  uint32_t rows_ = 0, columns_ = 0;
};

#endif  // WRONG_KERNELS_SHARED_ROW_SUM_KERNEL_H_
