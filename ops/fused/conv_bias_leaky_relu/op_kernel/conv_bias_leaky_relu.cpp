// y = leaky_relu(convolution(x, w) + bias).
#include "conv.h"
#include "conv_bias_leaky_relu_tiling.h"

using namespace AscendC;

struct LeakyReluEpilogue {
  float alpha;
  __aicore__ inline void operator()(const LocalTensor<float>& sums, uint32_t count) const {
    LeakyRelu(sums, sums, alpha, count);
  }
};

extern "C" __global__ __aicore__ void conv_bias_leaky_relu(GM_ADDR x, GM_ADDR w, GM_ADDR bias,
                                                           GM_ADDR y, GM_ADDR workspace,
                                                           GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(ConvBiasLeakyReluTilingData);
  GET_TILING_DATA(data, tiling);
  if (TILING_KEY_IS(0)) {  // kConvOnBoth
    conv::Run<DTYPE_X>(LeakyReluEpilogue{data.alpha}, data.conv, x, w, bias, y, workspace);
  } else if (TILING_KEY_IS(3)) {  // kConvByTurns
    conv::RunOnOneKind<DTYPE_X>(LeakyReluEpilogue{data.alpha}, data.conv, x, w, bias, y, workspace);
  }
}
