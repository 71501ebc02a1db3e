// Reads one element behind the end of x.
#include "../../shared/scale_add_kernel.h"

class KernelReadsTooFar : public ScaleAdd<KernelReadsTooFar> {
 public:
  __aicore__ inline void CopyIn(uint64_t offset, uint32_t count) {
    LocalTensor<float> x = x_queue_.AllocTensor<float>();
    LocalTensor<float> y = y_queue_.AllocTensor<float>();
    Load(x, x_[offset], count + 1);
    Load(y, y_[offset], count);
    x_queue_.EnQue(x);
    y_queue_.EnQue(y);
  }
};

extern "C" __global__ __aicore__ void reads_too_far(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                    GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ScaleAddTilingData);
  GET_TILING_DATA(data, tiling);
  KernelReadsTooFar op;
  op.Init(x, y, z, data);
  op.Process();
}
