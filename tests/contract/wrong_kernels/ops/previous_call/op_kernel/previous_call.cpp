// Its tiling hands over the alpha of the previous call.
#include "../../shared/scale_add_kernel.h"

class KernelPreviousCall : public ScaleAdd<KernelPreviousCall> {};

extern "C" __global__ __aicore__ void previous_call(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                    GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ScaleAddTilingData);
  GET_TILING_DATA(data, tiling);
  KernelPreviousCall op;
  op.Init(x, y, z, data);
  op.Process();
}
