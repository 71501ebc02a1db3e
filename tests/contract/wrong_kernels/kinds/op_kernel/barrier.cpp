// Reads back what it has just stored in GM, without a barrier between the two copies.
#include "copies.h"

class KernelBarrier {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    length_ = rest < tiling.per_core ? rest : tiling.per_core;
    tile_ = tiling.tile;
    x_.SetGlobalBuffer((__gm__ float*)x + start, length_);
    z_.SetGlobalBuffer((__gm__ float*)z + start, length_);
    pipe_.InitBuffer(in_, 1, tile_ * sizeof(float));
    pipe_.InitBuffer(out_, 1, tile_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    for (uint64_t at = 0; at < length_; at += tile_) {
      const uint32_t count = length_ - at < tile_ ? static_cast<uint32_t>(length_ - at) : tile_;
      Pass(z_[at], x_[at], count, [](auto& out, auto& in, uint32_t n) { Muls(out, in, 2.0f, n); });
      if constexpr (kRight) PipeBarrier<PIPE_ALL>();
      Pass(z_[at], z_[at], count, [](auto& out, auto& in, uint32_t n) { Adds(out, in, 1.0f, n); });
    }
  }

 private:
  template <typename Step>
  __aicore__ inline void Pass(const GlobalTensor<float>& to, const GlobalTensor<float>& from,
                              uint32_t count, Step step) {
    LocalTensor<float> in = in_.AllocTensor<float>();
    Load(in, from, count);
    in_.EnQue(in);
    in = in_.DeQue<float>();
    LocalTensor<float> out = out_.AllocTensor<float>();
    step(out, in, count);
    in_.FreeTensor(in);
    out_.EnQue(out);
    out = out_.DeQue<float>();
    Store(to, out, count);
    out_.FreeTensor(out);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> in_;
  TQue<QuePosition::VECOUT, 1> out_;
  GlobalTensor<float> x_, z_;
  uint64_t length_ = 0;
  uint32_t tile_ = 0;
};

extern "C" __global__ __aicore__ void barrier_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelBarrier op;
  op.Init(x, z, data);
  op.Process();
}
