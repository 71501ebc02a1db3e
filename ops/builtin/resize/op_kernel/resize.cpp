// y is x with more or fewer rows and columns.
#include "linear.h"
#include "nearest.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void resize(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                             GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ResizeTiling);
  GET_TILING_DATA(data, tiling);
  if (data.tiles == 0) return;
  if (data.linear != 0) {
    Linear<DTYPE_X> op(data);
    op.Run(x, y);
  } else {
    Nearest<layout::BitsOf<sizeof(DTYPE_X)>::Type> op(data);
    op.Run(x, y);
  }
}
