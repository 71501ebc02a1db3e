// Fills a buffer for the third tile without waiting until the first one has been computed.
#include "copies.h"

// Two buffers in turn. Small tensors have at most two tiles in a core.
class KernelLargeRace {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    length_ = rest < tiling.per_core ? rest : tiling.per_core;
    tile_ = tiling.tile;
    x_.SetGlobalBuffer((__gm__ float*)x + start, length_);
    z_.SetGlobalBuffer((__gm__ float*)z + start, length_);
    pipe_.InitBuffer(in_, 2 * tile_ * sizeof(float));
    pipe_.InitBuffer(out_, 2, tile_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    LocalTensor<float> in = in_.Get<float>();
    uint32_t done = 0;
    for (uint64_t at = 0; at < length_; at += tile_, ++done) {
      const uint32_t count = length_ - at < tile_ ? static_cast<uint32_t>(length_ - at) : tile_;
      const event_t buffer = done % 2 == 0 ? EVENT_ID6 : EVENT_ID7;
      LocalTensor<float> part = in[done % 2 * tile_];
      if (kRight && done >= 2) WaitFlag<HardEvent::V_MTE2>(buffer);
      Load(part, x_[at], count);
      Order<HardEvent::MTE2_V>(buffer);
      LocalTensor<float> out = out_.AllocTensor<float>();
      Muls(out, part, 2.0f, count);
      if (kRight && at + 2 * tile_ < length_) SetFlag<HardEvent::V_MTE2>(buffer);
      out_.EnQue(out);
      out = out_.DeQue<float>();
      Store(z_[at], out, count);
      out_.FreeTensor(out);
    }
  }

 private:
  TPipe pipe_;
  TBuf<TPosition::VECCALC> in_;
  TQue<QuePosition::VECOUT, 2> out_;
  GlobalTensor<float> x_, z_;
  uint64_t length_ = 0;
  uint32_t tile_ = 0;
};

extern "C" __global__ __aicore__ void large_race_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                    GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelLargeRace op;
  op.Init(x, z, data);
  op.Process();
}
