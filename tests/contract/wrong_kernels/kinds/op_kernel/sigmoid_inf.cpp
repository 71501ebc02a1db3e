// Divides one infinity by another where the element is large.
#include "elements.h"

class KernelSigmoidInf : public Elements<KernelSigmoidInf> {
 public:
  __aicore__ inline void Formula(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 uint32_t count) {
    LocalTensor<float> work = work_.Get<float>();
    if constexpr (kRight) {
      Muls(work, x, -1.0f, count);
      Exp(work, work, count);
      Adds(work, work, 1.0f, count);
      Duplicate(z, 1.0f, static_cast<int32_t>(count));
    } else {
      Exp(z, x, count);
      Adds(work, z, 1.0f, count);
    }
    Div(z, z, work, count);
  }
};

extern "C" __global__ __aicore__ void sigmoid_inf_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                     GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelSigmoidInf op;
  op.Init(x, z, data);
  op.Process();
}
