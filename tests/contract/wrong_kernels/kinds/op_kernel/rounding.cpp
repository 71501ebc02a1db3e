// Cuts off what half cannot hold in place of rounding it.
#include "elements.h"

class KernelRounding : public Elements<KernelRounding, float, half> {
 public:
  __aicore__ inline void Formula(const LocalTensor<half>& z, const LocalTensor<float>& x,
                                 uint32_t count) {
    Cast(z, x, kRight ? RoundMode::CAST_RINT : RoundMode::CAST_TRUNC, count);
  }
};

extern "C" __global__ __aicore__ void rounding_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelRounding op;
  op.Init(x, z, data);
  op.Process();
}
