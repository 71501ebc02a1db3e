// z = x + the sum of x: the sums of all cores meet in the workspace. Self says where the sum of a
// core lies there, and how the cores wait for each other.
#ifndef WRONG_KERNELS_KINDS_ALL_CORES_H_
#define WRONG_KERNELS_KINDS_ALL_CORES_H_

#include "copies.h"

template <typename Self>
class AllCores {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, const KindTiling& tiling) {
    const uint64_t start = tiling.per_core * GetBlockIdx();
    count_ = static_cast<uint32_t>(tiling.total - start < tiling.per_core ? tiling.total - start
                                                                          : tiling.per_core);
    x_.SetGlobalBuffer((__gm__ float*)x + start, count_);
    z_.SetGlobalBuffer((__gm__ float*)z + start, count_);
    parts_.SetGlobalBuffer((__gm__ float*)GetUserWorkspace(workspace), GetBlockNum() * kSlot);
    pipe_.InitBuffer(in_, 1, kMost * sizeof(float));
    pipe_.InitBuffer(out_, 1, kMost * sizeof(float));
    pipe_.InitBuffer(part_, 1, kSlot * sizeof(float));
    pipe_.InitBuffer(work_, kMost * sizeof(float));
  }

  __aicore__ inline void Process() {
    Self& self = static_cast<Self&>(*this);
    LocalTensor<float> x = Taken(x_, count_);
    LocalTensor<float> part = part_.template AllocTensor<float>();
    Duplicate(part, 0.0f, kSlot);
    ReduceSum(part, x, work_.Get<float>(), static_cast<int32_t>(count_));
    part_.EnQue(part);
    part = part_.template DeQue<float>();
    Store(parts_[GetBlockIdx() * self.Pitch()], part, kSlot);
    part_.FreeTensor(part);
    self.Wait();
    AddParts(x);
    in_.FreeTensor(x);
  }

  __aicore__ inline uint32_t Pitch() const { return kSlot; }
  __aicore__ inline void Wait() { SyncAll(); }

 protected:
  static constexpr uint32_t kSlot = 8, kMost = 2048;  // elements

 private:
  __aicore__ inline LocalTensor<float> Taken(const GlobalTensor<float>& from, uint32_t count) {
    LocalTensor<float> in = in_.template AllocTensor<float>();
    Load(in, from, count);
    in_.EnQue(in);
    return in_.template DeQue<float>();
  }

  __aicore__ inline void AddParts(const LocalTensor<float>& x) {
    LocalTensor<float> out = out_.template AllocTensor<float>();
    LocalTensor<float> work = work_.Get<float>();
    const uint32_t count = GetBlockNum() * kSlot;
    Load(work, parts_, count);
    Order<HardEvent::MTE2_V>(EVENT_ID7);
    ReduceSum(work, work, work[kMost / 2], static_cast<int32_t>(count));
    Order<HardEvent::V_S>(EVENT_ID7);
    Adds(out, x, work.GetValue(0), count_);
    out_.EnQue(out);
    out = out_.template DeQue<float>();
    Store(z_, out, count_);
    out_.FreeTensor(out);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> in_;
  TQue<QuePosition::VECOUT, 1> out_, part_;
  TBuf<TPosition::VECCALC> work_;
  GlobalTensor<float> x_, z_, parts_;
  uint32_t count_ = 0;
};

#endif  // WRONG_KERNELS_KINDS_ALL_CORES_H_
