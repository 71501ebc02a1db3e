// z = relu(alpha * x + y): copy a tile in, compute, copy it out; two buffers
// per queue, so that the copies of one tile overlap with the arithmetic of
// another.
#include "kernel_operator.h"
#include "@op@_tiling.h"

using namespace AscendC;

constexpr int32_t kBuffers = 2;

// T: what lies in GM. C: what the vector unit computes in (bfloat16_t has no
// arithmetic of its own).
template <typename T, typename C>
class Kernel@OP@ {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const @OP@TilingData& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    length_ = rest < tiling.per_core ? rest : tiling.per_core;
    tile_ = tiling.tile;
    alpha_ = tiling.alpha;
    x_.SetGlobalBuffer((__gm__ T*)x + start, length_);
    y_.SetGlobalBuffer((__gm__ T*)y + start, length_);
    z_.SetGlobalBuffer((__gm__ T*)z + start, length_);
    pipe_.InitBuffer(x_queue_, kBuffers, tile_ * sizeof(T));
    pipe_.InitBuffer(y_queue_, kBuffers, tile_ * sizeof(T));
    pipe_.InitBuffer(z_queue_, kBuffers, tile_ * sizeof(T));
    if constexpr (kWidens) {
      pipe_.InitBuffer(x_wide_, tile_ * sizeof(C));
      pipe_.InitBuffer(y_wide_, tile_ * sizeof(C));
    }
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
    LocalTensor<T> y = y_queue_.template AllocTensor<T>();
    const DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
    const DataCopyPadExtParams<T> pad{false, 0, 0, 0};
    DataCopyPad(x, x_[offset], params, pad);
    DataCopyPad(y, y_[offset], params, pad);
    x_queue_.EnQue(x);
    y_queue_.EnQue(y);
  }

  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<T> x = x_queue_.template DeQue<T>();
    LocalTensor<T> y = y_queue_.template DeQue<T>();
    LocalTensor<T> z = z_queue_.template AllocTensor<T>();
    if constexpr (kWidens) {
      LocalTensor<C> a = x_wide_.template Get<C>();
      LocalTensor<C> b = y_wide_.template Get<C>();
      Cast(a, x, RoundMode::CAST_NONE, count);
      Cast(b, y, RoundMode::CAST_NONE, count);
      Formula(a, a, b, count);
      Cast(z, a, RoundMode::CAST_RINT, count);
    } else {
      Formula(z, x, y, count);
    }
    z_queue_.template EnQue<T>(z);
    x_queue_.FreeTensor(x);
    y_queue_.FreeTensor(y);
  }

  // The op itself. Change these lines, the reference in op_contract.yaml, and
  // nothing else.
  __aicore__ inline void Formula(const LocalTensor<C>& z, const LocalTensor<C>& x,
                                 const LocalTensor<C>& y, uint32_t count) {
    Muls(z, x, static_cast<C>(alpha_), count);
    Add(z, z, y, count);
    Relu(z, z, count);
  }

  __aicore__ inline void CopyOut(uint64_t offset, uint32_t count) {
    LocalTensor<T> z = z_queue_.template DeQue<T>();
    DataCopyPad(z_[offset], z,
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0});
    z_queue_.FreeTensor(z);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, kBuffers> x_queue_, y_queue_;
  TQue<QuePosition::VECOUT, kBuffers> z_queue_;
  TBuf<TPosition::VECCALC> x_wide_, y_wide_;
  GlobalTensor<T> x_, y_, z_;
  uint64_t length_ = 0;
  uint32_t tile_ = 0;
  float alpha_ = 1.0f;
};

extern "C" __global__ __aicore__ void @op@(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                           GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(@OP@TilingData);
  GET_TILING_DATA(data, tiling);
  using Compute =
      typename std::conditional<IsSameType<DTYPE_X, bfloat16_t>::value, float, DTYPE_X>::type;
  Kernel@OP@<DTYPE_X, Compute> op;
  op.Init(x, y, z, data);
  op.Process();
}
