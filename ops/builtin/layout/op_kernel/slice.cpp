// y = a part of x, or every step-th element of its dims.
#include "picker.h"

extern "C" __global__ __aicore__ void slice(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                            GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(SliceTiling);
  GET_TILING_DATA(data, tiling);
  if constexpr (sizeof(DTYPE_X) == 2 || sizeof(DTYPE_X) == 4) {
    if (data.step > 1) {
      using T = typename layout::BitsOf<sizeof(DTYPE_X)>::Type;
      AscendC::GlobalTensor<T> from, to;
      from.SetGlobalBuffer((__gm__ T*)x);
      to.SetGlobalBuffer((__gm__ T*)y);
      layout::Picker<T> picker(data);
      picker.Run(from, to);
      return;
    }
  }
  layout::Move<DTYPE_X>(data.move, x, y);
}
