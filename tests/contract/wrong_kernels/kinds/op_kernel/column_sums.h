// z = the sums of the columns of x [rows, columns]: every core adds its rows to z by atomic copies.
// kClears: a core fills z with zeros before; kWaits: the others wait for it.
#ifndef WRONG_KERNELS_KINDS_COLUMN_SUMS_H_
#define WRONG_KERNELS_KINDS_COLUMN_SUMS_H_

#include "copies.h"

template <bool kClears, bool kWaits>
class ColumnSums {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    rows_ = rest < tiling.per_core ? rest : tiling.per_core;
    columns_ = tiling.columns;
    x_.SetGlobalBuffer((__gm__ float*)x + start * columns_, rows_ * columns_);
    z_.SetGlobalBuffer((__gm__ float*)z, columns_);
    pipe_.InitBuffer(in_, 1, tiling.tile * sizeof(float));
    pipe_.InitBuffer(out_, 1, tiling.tile * sizeof(float));
  }

  __aicore__ inline void Process() {
    LocalTensor<float> sums = out_.AllocTensor<float>();
    Duplicate(sums, 0.0f, static_cast<int32_t>(columns_));
    if (kClears && GetBlockIdx() == 0) {
      Order<HardEvent::V_MTE3>(EVENT_ID7);
      Store(z_, sums, columns_);
      Order<HardEvent::MTE3_V>(EVENT_ID7);
    }
    for (uint64_t row = 0; row < rows_; ++row) {
      LocalTensor<float> x = in_.AllocTensor<float>();
      Load(x, x_[row * columns_], columns_);
      in_.EnQue(x);
      x = in_.DeQue<float>();
      Add(sums, sums, x, columns_);
      in_.FreeTensor(x);
    }
    if constexpr (kWaits)
      SyncAll();
    else
      PipeBarrier<PIPE_ALL>();
    out_.EnQue(sums);
    sums = out_.DeQue<float>();
    SetAtomicAdd<float>();
    Store(z_, sums, columns_);
    SetAtomicNone();
    out_.FreeTensor(sums);
  }

 private:
  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> in_;
  TQue<QuePosition::VECOUT, 1> out_;
  GlobalTensor<float> x_, z_;
  uint64_t rows_ = 0;
  uint32_t columns_ = 0;
};

#endif  // WRONG_KERNELS_KINDS_COLUMN_SUMS_H_
