// Sets one flag for two copies before anybody has waited for the first of them.
#include "copies.h"

class KernelFlagReuse {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    const uint64_t rest = tiling.total > start ? tiling.total - start : 0;
    length_ = rest < tiling.per_core ? rest : tiling.per_core;
    tile_ = tiling.tile;
    x_.SetGlobalBuffer((__gm__ float*)x + start, length_);
    y_.SetGlobalBuffer((__gm__ float*)y + start, length_);
    z_.SetGlobalBuffer((__gm__ float*)z + start, length_);
    pipe_.InitBuffer(left_, tile_ * sizeof(float));
    pipe_.InitBuffer(right_, tile_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    constexpr event_t kSecond = kRight ? EVENT_ID1 : EVENT_ID0;
    LocalTensor<float> left = left_.Get<float>(), right = right_.Get<float>();
    for (uint64_t at = 0; at < length_; at += tile_) {
      const uint32_t count = length_ - at < tile_ ? static_cast<uint32_t>(length_ - at) : tile_;
      Load(left, x_[at], count);
      SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
      Load(right, y_[at], count);
      SetFlag<HardEvent::MTE2_V>(kSecond);
      WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
      Muls(left, left, 2.0f, count);
      WaitFlag<HardEvent::MTE2_V>(kSecond);
      Add(left, left, right, count);
      Order<HardEvent::V_MTE3>();
      Store(z_[at], left, count);
      Order<HardEvent::MTE3_MTE2>();
      Order<HardEvent::V_MTE2>();
    }
  }

 private:
  TPipe pipe_;
  TBuf<TPosition::VECCALC> left_, right_;
  GlobalTensor<float> x_, y_, z_;
  uint64_t length_ = 0;
  uint32_t tile_ = 0;
};

extern "C" __global__ __aicore__ void flag_reuse_op(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                    GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelFlagReuse op;
  op.Init(x, y, z, data);
  op.Process();
}
