// y = (x - x_zero_point) * x_scale.
#include "elementwise.h"

using namespace AscendC;

struct Dequantize {
  __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<half>& x,
                                    const LocalTensor<float>& scale, const LocalTensor<half>& zero,
                                    uint32_t count) const {
    Sub(x, x, zero, count);  // half holds the difference
    Cast(y, x, RoundMode::CAST_NONE, count);
    Mul(y, y, scale, count);
  }
};

extern "C" __global__ __aicore__ void dequantize_linear(GM_ADDR x, GM_ADDR scale, GM_ADDR zero,
                                                        GM_ADDR y, GM_ADDR workspace,
                                                        GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  elementwise::Kernel<Dequantize, elementwise::Out<DTYPE_Y>, elementwise::In<DTYPE_X>,
                      elementwise::In<DTYPE_X_SCALE>, elementwise::In<DTYPE_X_ZERO_POINT>>
      op(data);
  op.Run(Dequantize{}, y, x, scale, zero);
}
