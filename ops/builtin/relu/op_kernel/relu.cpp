// y = max(x, 0), element by element.
#include "elementwise.h"

using namespace AscendC;

struct ReluFormula {
  template <typename C>
  __aicore__ inline void operator()(const LocalTensor<C>& y, const LocalTensor<C>& x,
                                    uint32_t count) const {
    AscendC::Relu(y, x, count);
  }
};

extern "C" __global__ __aicore__ void relu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                           GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  using namespace elementwise;
  Kernel<ReluFormula, Out<DTYPE_Y>, In<DTYPE_X>> op(data);
  op.Run(ReluFormula{}, y, x);
}
