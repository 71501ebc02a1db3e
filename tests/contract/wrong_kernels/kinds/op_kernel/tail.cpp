// Stores whole blocks of 32 bytes only: what is left at the end of a tile is never written.
#include "elements.h"

class KernelTail : public Elements<KernelTail> {
 public:
  __aicore__ inline void Formula(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 uint32_t count) {
    Muls(z, x, 2.0f, count);
  }

  __aicore__ inline void CopyOut(uint64_t offset, const LocalTensor<float>& z, uint32_t count) {
    const uint32_t stored = kRight ? count : count / 8 * 8;
    if (stored > 0) Store(z_[offset], z, stored);
  }
};

extern "C" __global__ __aicore__ void tail_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                              GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelTail op;
  op.Init(x, z, data);
  op.Process();
}
