// Negates by a subtraction from 0, which makes 0 of 0 in place of -0.
#include "elements.h"

class KernelSignOfZero : public Elements<KernelSignOfZero> {
 public:
  __aicore__ inline void Formula(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 uint32_t count) {
    if constexpr (kRight) {
      Muls(z, x, -1.0f, count);
    } else {
      Duplicate(z, 0.0f, static_cast<int32_t>(count));
      Sub(z, z, x, count);
    }
  }
};

extern "C" __global__ __aicore__ void sign_of_zero_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelSignOfZero op;
  op.Init(x, z, data);
  op.Process();
}
