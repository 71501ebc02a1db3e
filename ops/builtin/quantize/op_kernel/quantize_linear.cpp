// y = saturate(round(x / y_scale) + y_zero_point), halves to the even one.
#include "elementwise.h"
#include "quantized.h"

using namespace AscendC;

struct Quantize {
  static constexpr uint32_t kScratch = sizeof(float);
  __aicore__ inline void operator()(const LocalTensor<half>& y, const LocalTensor<float>& x,
                                    const LocalTensor<float>& scale, const LocalTensor<half>& zero,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const LocalTensor<float> shift = scratch.ReinterpretCast<float>();
    Div(x, x, scale, count);
    quantized::Round(x, count);
    Cast(shift, zero, RoundMode::CAST_NONE, count);
    Add(x, x, shift, count);
    quantized::Narrow(y, x, count);
  }
};

extern "C" __global__ __aicore__ void quantize_linear(GM_ADDR x, GM_ADDR scale, GM_ADDR zero,
                                                      GM_ADDR y, GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  elementwise::Kernel<Quantize, elementwise::Out<DTYPE_Y>, elementwise::In<DTYPE_X>,
                      elementwise::In<DTYPE_Y_SCALE>, elementwise::In<DTYPE_Y_ZERO_POINT>>
      op(data);
  op.Run(Quantize{}, y, x, scale, zero);
}
