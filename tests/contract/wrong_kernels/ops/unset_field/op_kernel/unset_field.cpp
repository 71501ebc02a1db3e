// Its tiling forgets alpha, so that the kernel reads 0.
#include "../../shared/scale_add_kernel.h"

class KernelUnsetField : public ScaleAdd<KernelUnsetField> {};

extern "C" __global__ __aicore__ void unset_field(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                  GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GET_TILING_DATA(data, tiling);
  ScaleAddTilingData plain;
  plain.total = data.total;
  plain.per_core = data.per_core;
  plain.tile = data.tile;
  plain.alpha = data.alpha;
  KernelUnsetField op;
  op.Init(x, y, z, plain);
  op.Process();
}
