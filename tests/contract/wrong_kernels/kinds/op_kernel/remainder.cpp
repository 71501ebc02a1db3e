// Right by itself: its host loses the remainder of the division by the number of cores.
#include "elements.h"

class KernelRemainder : public Elements<KernelRemainder> {
 public:
  __aicore__ inline void Formula(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 uint32_t count) {
    Muls(z, x, 2.0f, count);
  }
};

extern "C" __global__ __aicore__ void remainder_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelRemainder op;
  op.Init(x, z, data);
  op.Process();
}
