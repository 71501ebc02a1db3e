// y = (x - mean) * (scale / sqrt(variance + epsilon)) + bias.
#include "batch_normalization_tiling.h"
#include "elementwise.h"

using namespace AscendC;

struct BatchNormalizationFormula {
  float epsilon;
  __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                    const LocalTensor<float>& scale, const LocalTensor<float>& bias,
                                    const LocalTensor<float>& mean,
                                    const LocalTensor<float>& variance, uint32_t count) const {
    Adds(variance, variance, epsilon, count);
    Sqrt(variance, variance, count);
    Div(scale, scale, variance, count);
    Sub(y, x, mean, count);
    Mul(y, y, scale, count);
    Add(y, y, bias, count);
  }
};

extern "C" __global__ __aicore__ void batch_normalization(GM_ADDR x, GM_ADDR scale, GM_ADDR bias,
                                                          GM_ADDR mean, GM_ADDR variance, GM_ADDR y,
                                                          GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(BatchNormalizationTilingData);
  GET_TILING_DATA(data, tiling);
  using namespace elementwise;
  using Wide = In<DTYPE_X, float>;
  Kernel<BatchNormalizationFormula, Out<DTYPE_Y, RoundMode::CAST_RINT, float>, Wide, Wide, Wide,
         Wide, Wide>
      op(data.view);
  op.Run({data.epsilon}, y, x, scale, bias, mean, variance);
}
