// Counts the bytes in front of its share in 32 bits.
#include "elements.h"

class KernelOffset32 : public Elements<KernelOffset32> {
 public:
  __aicore__ inline void Formula(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 uint32_t count) {
    Muls(z, x, 2.0f, count);
  }

  __aicore__ inline void CopyOut(uint64_t offset, const LocalTensor<float>& z, uint32_t count) {
    const uint64_t bytes = (start_ + offset) * sizeof(float);
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float*)(all_ + (kRight ? bytes : static_cast<uint32_t>(bytes))),
                       count);
    Store(to, z, count);
  }

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const KindTiling& tiling) {
    Elements<KernelOffset32>::Init(x, z, tiling);
    all_ = z;
    start_ = tiling.per_core * GetBlockIdx();
  }

 private:
  GM_ADDR all_ = nullptr;
  uint64_t start_ = 0;
};

extern "C" __global__ __aicore__ void offset32_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelOffset32 op;
  op.Init(x, z, data);
  op.Process();
}
