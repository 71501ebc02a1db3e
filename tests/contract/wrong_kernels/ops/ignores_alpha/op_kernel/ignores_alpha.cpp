// Adds without scaling.
#include "../../shared/scale_add_kernel.h"

class KernelIgnoresAlpha : public ScaleAdd<KernelIgnoresAlpha> {
 public:
  __aicore__ inline void Formula(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 const LocalTensor<float>& y, uint32_t count) {
    Add(z, x, y, count);
  }
};

extern "C" __global__ __aicore__ void ignores_alpha(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                    GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ScaleAddTilingData);
  GET_TILING_DATA(data, tiling);
  KernelIgnoresAlpha op;
  op.Init(x, y, z, data);
  op.Process();
}
