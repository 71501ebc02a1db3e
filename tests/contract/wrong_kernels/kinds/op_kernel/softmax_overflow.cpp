// Takes the exponentials of the elements themselves, which overflow.
#include "copies.h"

class KernelSoftmaxOverflow {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    rows_ = rest < tiling.per_core ? rest : tiling.per_core;
    columns_ = tiling.columns;
    x_.SetGlobalBuffer((__gm__ float*)x + start * columns_, rows_ * columns_);
    z_.SetGlobalBuffer((__gm__ float*)z + start * columns_, rows_ * columns_);
    pipe_.InitBuffer(in_, 1, tiling.tile * sizeof(float));
    pipe_.InitBuffer(out_, 1, tiling.tile * sizeof(float));
    pipe_.InitBuffer(number_, 32);
    pipe_.InitBuffer(work_, tiling.tile * sizeof(float));
  }

  __aicore__ inline void Process() {
    for (uint64_t row = 0; row < rows_; ++row) {
      LocalTensor<float> x = in_.AllocTensor<float>();
      Load(x, x_[row * columns_], columns_);
      in_.EnQue(x);
      x = in_.DeQue<float>();
      LocalTensor<float> z = out_.AllocTensor<float>();
      Softmax(z, x);
      in_.FreeTensor(x);
      out_.EnQue(z);
      z = out_.DeQue<float>();
      Store(z_[row * columns_], z, columns_);
      out_.FreeTensor(z);
    }
  }

 private:
  __aicore__ inline void Softmax(const LocalTensor<float>& z, const LocalTensor<float>& x) {
    const auto count = static_cast<int32_t>(columns_);
    LocalTensor<float> number = number_.Get<float>(), work = work_.Get<float>();
    if constexpr (kRight) {
      ReduceMax(number, x, work, count);
      Adds(x, x, -Taken(number), count);
    }
    Exp(x, x, count);
    ReduceSum(number, x, work, count);
    Duplicate(work, Taken(number), count);
    Div(z, x, work, count);
  }

  __aicore__ inline float Taken(const LocalTensor<float>& number) {
    Order<HardEvent::V_S>(EVENT_ID7);
    const float value = number.GetValue(0);
    Order<HardEvent::S_V>(EVENT_ID7);
    return value;
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> in_;
  TQue<QuePosition::VECOUT, 1> out_;
  TBuf<TPosition::VECCALC> number_, work_;
  GlobalTensor<float> x_, z_;
  uint64_t rows_ = 0;
  uint32_t columns_ = 0;
};

extern "C" __global__ __aicore__ void softmax_overflow_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                          GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelSoftmaxOverflow op;
  op.Init(x, z, data);
  op.Process();
}
