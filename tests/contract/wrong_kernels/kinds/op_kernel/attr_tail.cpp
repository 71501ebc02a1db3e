// Takes alpha into account in whole tiles only.
#include "elements.h"

class KernelAttrTail : public Elements<KernelAttrTail> {
 public:
  __aicore__ inline void Formula(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 uint32_t count) {
    Muls(z, x, kRight || count == tile_ ? alpha_ : 1.0f, count);
  }
};

extern "C" __global__ __aicore__ void attr_tail_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelAttrTail op;
  op.Init(x, z, data);
  op.Process();
}
