// Leaves its result in its input y, too.
#include "../../shared/scale_add_kernel.h"

class KernelWritesItsInput : public ScaleAdd<KernelWritesItsInput> {
 public:
  __aicore__ inline void CopyOut(uint64_t offset, uint32_t count) {
    LocalTensor<float> z = z_queue_.DeQue<float>();
    Store(z_[offset], z, count);
    Store(y_[offset], z, count);
    z_queue_.FreeTensor(z);
  }
};

extern "C" __global__ __aicore__ void writes_its_input(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                       GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ScaleAddTilingData);
  GET_TILING_DATA(data, tiling);
  KernelWritesItsInput op;
  op.Init(x, y, z, data);
  op.Process();
}
