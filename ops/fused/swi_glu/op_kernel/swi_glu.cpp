// y = silu(gate) * value, which are the halves of each row of x.
#include "elementwise.h"

using namespace AscendC;

// sigmoid(g) = exp(min(g, 0)) / (1 + exp(-|g|)): neither overflows.
struct Gated {
  static constexpr uint32_t kScratch = sizeof(float);
  __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& gate,
                                    const LocalTensor<float>& value,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const LocalTensor<float> below = scratch.ReinterpretCast<float>();
    Abs(below, gate, count);
    Muls(below, below, -1.0f, count);
    Exp(below, below, count);
    Adds(below, below, 1.0f, count);
    Mins(y, gate, 0.0f, count);
    Exp(y, y, count);
    Div(y, y, below, count);
    Mul(y, y, gate, count);
    Mul(y, y, value, count);
  }
};

extern "C" __global__ __aicore__ void swi_glu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                              GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  using Wide = elementwise::In<DTYPE_X, float>;
  elementwise::Kernel<Gated, elementwise::Out<DTYPE_Y, RoundMode::CAST_RINT, float>, Wide, Wide> op(
      data);
  op.Run(Gated{}, y, x, x + data.columns * sizeof(DTYPE_X));
}
