// Lets the copy out begin before the vector unit has finished.
#include "copies.h"

class KernelRace {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    length_ = rest < tiling.per_core ? rest : tiling.per_core;
    tile_ = tiling.tile;
    x_.SetGlobalBuffer((__gm__ float*)x + start, length_);
    z_.SetGlobalBuffer((__gm__ float*)z + start, length_);
    pipe_.InitBuffer(in_, tile_ * sizeof(float));
    pipe_.InitBuffer(out_, tile_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    LocalTensor<float> in = in_.Get<float>(), out = out_.Get<float>();
    for (uint64_t offset = 0; offset < length_; offset += tile_) {
      const uint64_t rest = length_ - offset;
      const uint32_t count = rest < tile_ ? static_cast<uint32_t>(rest) : tile_;
      Load(in, x_[offset], count);
      Order<HardEvent::MTE2_V>();
      Muls(out, in, 2.0f, count);
      if constexpr (kRight) Order<HardEvent::V_MTE3>();
      Store(z_[offset], out, count);
      Order<HardEvent::V_MTE2>();
      Order<HardEvent::MTE3_V>();
    }
  }

 private:
  TPipe pipe_;
  TBuf<TPosition::VECCALC> in_, out_;
  GlobalTensor<float> x_, z_;
  uint64_t length_ = 0;
  uint32_t tile_ = 0;
};

extern "C" __global__ __aicore__ void race_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                              GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelRace op;
  op.Init(x, z, data);
  op.Process();
}
