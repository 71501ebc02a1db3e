// y = max(x, 0): copy a tile in, clip it, copy it out; two buffers per queue, so that the copies of
// one tile overlap with the arithmetic of another.
#include "kernel_operator.h"
#include "relu_tiling.h"

using namespace AscendC;

constexpr int32_t kBuffers = 2;

// T: what lies in GM. C: what the vector unit computes in (bfloat16_t has no arithmetic of its
// own).
template <typename T, typename C>
class KernelRelu {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const ReluTilingData& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    length_ = rest < tiling.per_core ? rest : tiling.per_core;
    tile_ = tiling.tile;
    x_.SetGlobalBuffer((__gm__ T*)x + start, length_);
    y_.SetGlobalBuffer((__gm__ T*)y + start, length_);
    pipe_.InitBuffer(x_queue_, kBuffers, tile_ * sizeof(T));
    pipe_.InitBuffer(y_queue_, kBuffers, tile_ * sizeof(T));
    if constexpr (kWidens) pipe_.InitBuffer(wide_, tile_ * sizeof(C));
  }

  __aicore__ inline void Process() {
    for (uint64_t offset = 0; offset < length_; offset += tile_) {
      const uint64_t rest = length_ - offset;
      const uint32_t count = rest < tile_ ? static_cast<uint32_t>(rest) : tile_;
      CopyIn(offset, count);
      Compute(count);
      CopyOut(offset, count);
    }
  }

 private:
  static constexpr bool kWidens = !IsSameType<T, C>::value;

  __aicore__ inline void CopyIn(uint64_t offset, uint32_t count) {
    LocalTensor<T> x = x_queue_.template AllocTensor<T>();
    DataCopyPad(x, x_[offset],
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0},
                DataCopyPadExtParams<T>{false, 0, 0, 0});
    x_queue_.EnQue(x);
  }

  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<T> x = x_queue_.template DeQue<T>();
    LocalTensor<T> y = y_queue_.template AllocTensor<T>();
    if constexpr (kWidens) {
      LocalTensor<C> wide = wide_.template Get<C>();
      Cast(wide, x, RoundMode::CAST_NONE, count);
      Relu(wide, wide, count);
      Cast(y, wide, RoundMode::CAST_RINT, count);
    } else {
      Relu(y, x, count);
    }
    y_queue_.template EnQue<T>(y);
    x_queue_.FreeTensor(x);
  }

  __aicore__ inline void CopyOut(uint64_t offset, uint32_t count) {
    LocalTensor<T> y = y_queue_.template DeQue<T>();
    DataCopyPad(y_[offset], y,
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0});
    y_queue_.FreeTensor(y);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, kBuffers> x_queue_;
  TQue<QuePosition::VECOUT, kBuffers> y_queue_;
  TBuf<TPosition::VECCALC> wide_;
  GlobalTensor<T> x_, y_;
  uint64_t length_ = 0;
  uint32_t tile_ = 0;
};

extern "C" __global__ __aicore__ void relu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                           GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ReluTilingData);
  GET_TILING_DATA(data, tiling);
  using Compute =
      typename std::conditional<IsSameType<DTYPE_X, bfloat16_t>::value, float, DTYPE_X>::type;
  KernelRelu<DTYPE_X, Compute> op;
  op.Init(x, y, data);
  op.Process();
}
