// z = x + y, element by element.
#include "elementwise.h"

using namespace AscendC;

struct AddFormula {
  template <typename C>
  __aicore__ inline void operator()(const LocalTensor<C>& z, const LocalTensor<C>& x,
                                    const LocalTensor<C>& y, uint32_t count) const {
    AscendC::Add(z, x, y, count);
  }
};

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                          GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  using namespace elementwise;
  Kernel<AddFormula, Out<DTYPE_Z, RoundMode::CAST_RINT>, In<DTYPE_X>, In<DTYPE_Y>> op(data);
  op.Run(AddFormula{}, z, x, y);
}
