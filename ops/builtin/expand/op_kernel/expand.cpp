// y = x, broadcast: the input's port repeats rows and columns.
#include "elementwise.h"

using namespace AscendC;

struct Same {
  template <typename C>
  __aicore__ inline void operator()(const LocalTensor<C>& y, const LocalTensor<C>& x,
                                    uint32_t count) const {
    if constexpr (IsSameType<C, int64_t>::value) {  // both words
      Muls(y.template ReinterpretCast<int32_t>(), x.template ReinterpretCast<int32_t>(), 1,
           2 * count);
    } else {
      Muls(y, x, static_cast<C>(1), count);
    }
  }
};

extern "C" __global__ __aicore__ void expand(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                             GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  elementwise::Kernel<Same, elementwise::Out<DTYPE_Y>, elementwise::In<DTYPE_X>> op(data);
  op.Run(Same{}, y, x);
}
