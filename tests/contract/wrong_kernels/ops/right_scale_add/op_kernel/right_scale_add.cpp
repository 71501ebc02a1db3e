// z = x * alpha + y, as its contract says.
#include "../../shared/scale_add_kernel.h"

class KernelRightScaleAdd : public ScaleAdd<KernelRightScaleAdd> {};

extern "C" __global__ __aicore__ void right_scale_add(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                      GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ScaleAddTilingData);
  GET_TILING_DATA(data, tiling);
  KernelRightScaleAdd op;
  op.Init(x, y, z, data);
  op.Process();
}
