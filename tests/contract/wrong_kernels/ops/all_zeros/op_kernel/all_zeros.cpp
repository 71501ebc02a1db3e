// Writes zeros.
#include "../../shared/scale_add_kernel.h"

class KernelAllZeros : public ScaleAdd<KernelAllZeros> {
 public:
  __aicore__ inline void Formula(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 const LocalTensor<float>& y, uint32_t count) {
    Duplicate(z, 0.0f, static_cast<int32_t>(count));
  }
};

extern "C" __global__ __aicore__ void all_zeros(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                                GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ScaleAddTilingData);
  GET_TILING_DATA(data, tiling);
  KernelAllZeros op;
  op.Init(x, y, z, data);
  op.Process();
}
