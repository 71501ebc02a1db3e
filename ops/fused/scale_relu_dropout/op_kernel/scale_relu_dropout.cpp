// y = relu(x * scale) * mask / keep_prob in one pass: GM is read once per input and written once,
// where the separate ops would read and write it six times. Computed in float for every T, rounded
// once at the end.
#include "elementwise.h"
#include "scale_relu_dropout_tiling.h"

using namespace AscendC;

struct ScaleReluDropoutFormula {
  static constexpr uint32_t kScratch = kScaleReluDropoutScratch;
  float scale, keep_prob;

  __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                    const LocalTensor<half>& mask,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const LocalTensor<float> other = scratch.ReinterpretCast<float>();
    Muls(y, x, scale, count);
    Relu(y, y, count);
    Cast(other, mask, RoundMode::CAST_NONE, count);
    Mul(y, y, other, count);
    Duplicate(other, keep_prob, count);
    Div(y, y, other, count);
  }
};

extern "C" __global__ __aicore__ void scale_relu_dropout(GM_ADDR x, GM_ADDR mask, GM_ADDR y,
                                                         GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ScaleReluDropoutTilingData);
  GET_TILING_DATA(data, tiling);
  using namespace elementwise;
  Kernel<ScaleReluDropoutFormula, Out<DTYPE_Y, RoundMode::CAST_RINT, float>, In<DTYPE_X, float>,
         In<uint8_t>>
      op(data.view);
  op.Run({data.scale, data.keep_prob}, y, x, mask);
}
