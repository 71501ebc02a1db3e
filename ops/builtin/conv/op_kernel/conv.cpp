// y = convolution(x, w) + bias.
#include "conv_dense.h"
#include "conv_planes.h"

using namespace AscendC;

struct BiasFinish {
  static constexpr uint32_t kVectors = 1, kNumbers = 1;
  bool has_bias;
  __aicore__ inline void Prepare(rows::Unit&) const {}
  __aicore__ inline void Apply(rows::Unit& unit, const LocalTensor<float>& sums, uint32_t) const {
    if (has_bias) unit.Increase(sums, sums, 0);
  }
};

struct BiasAfter {
  bool has_bias;
  GlobalTensor<DTYPE_X> bias;
  __aicore__ inline void operator()(const LocalTensor<float>& sums, uint64_t channel,
                                    uint32_t count) const {
    if (has_bias) Adds(sums, sums, static_cast<float>(bias.GetValue(channel)), count);
  }
};

extern "C" __global__ __aicore__ void conv(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(ConvDenseTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  if (TILING_KEY_IS(3)) {  // kConvPlanes
    if ASCEND_IS_AIV {
      BiasAfter after{data.has_bias != 0, {}};
      after.bias.SetGlobalBuffer((__gm__ DTYPE_X*)bias);
      conv_dense::RunPlanes<DTYPE_X>(after, data, pipe, x, w, y);
    }
  } else if (TILING_KEY_IS(1) || TILING_KEY_IS(2)) {  // kConvPlain, kConvWindows
    conv_dense::Kernel<BiasFinish, DTYPE_X> op;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.cube);
    op.Run({data.has_bias != 0}, data, pipe, x, w, y, workspace,
           data.has_bias != 0 ? bias : nullptr);
  }
}
