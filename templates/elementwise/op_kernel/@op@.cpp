// z = relu(alpha * x + y), element by element, with broadcast.
#include "@op@_tiling.h"
#include "elementwise.h"

using namespace AscendC;

// What the op computes on a tile. C is float16 or float; the parts widen bfloat16 before and
// narrow behind. Change this, the reference in op_contract.yaml, and the list of ports below.
struct @OP@Formula {
  float alpha;

  template <typename C>
  __aicore__ inline void operator()(const LocalTensor<C>& z, const LocalTensor<C>& x,
                                    const LocalTensor<C>& y, uint32_t count) const {
    Muls(z, x, static_cast<C>(alpha), count);
    Add(z, z, y, count);
    Relu(z, z, count);
  }
};

extern "C" __global__ __aicore__ void @op@(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                           GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(@OP@TilingData);
  GET_TILING_DATA(data, tiling);
  using namespace elementwise;
  Kernel<@OP@Formula, Out<DTYPE_Z, RoundMode::CAST_RINT>, In<DTYPE_X>, In<DTYPE_Y>> op(data.view);
  op.Run({data.alpha}, z, x, y);
}
