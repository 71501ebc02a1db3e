// Key 1 is for tensors up to a size, and leaves out the tensor of just that size.
#include "elements.h"

class KernelKeyBoundary : public Elements<KernelKeyBoundary> {
 public:
  __aicore__ inline void Formula(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 uint32_t count) {
    Muls(z, x, 2.0f, count);
  }
};

extern "C" __global__ __aicore__ void key_boundary_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  constexpr uint64_t kMostOfKey1 = 5003;  // elements, as the host has it
  KernelKeyBoundary op;
  op.Init(x, z, data);
  if (TILING_KEY_IS(1)) {
    if (data.total < kMostOfKey1 + (kRight ? 1 : 0)) op.Process();
  } else if (TILING_KEY_IS(2)) {
    op.Process();
  }
}
