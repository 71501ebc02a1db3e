// Leaves out what goes beyond the last multiple of 16 elements.
#include "../../shared/scale_add_kernel.h"

class KernelMultiplesOf16 : public ScaleAdd<KernelMultiplesOf16> {
 public:
  __aicore__ inline void CopyOut(uint64_t offset, uint32_t count) {
    LocalTensor<float> z = z_queue_.DeQue<float>();
    const uint32_t whole = count / 16 * 16;
    if (whole > 0) Store(z_[offset], z, whole);
    z_queue_.FreeTensor(z);
  }
};

extern "C" __global__ __aicore__ void multiples_of_16(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                      GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ScaleAddTilingData);
  GET_TILING_DATA(data, tiling);
  KernelMultiplesOf16 op;
  op.Init(x, y, z, data);
  op.Process();
}
