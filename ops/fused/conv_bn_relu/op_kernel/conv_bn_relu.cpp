// y = relu(batch_normalization(convolution(x, w))).
#include "conv_batch_norm.h"

using namespace AscendC;

struct ReluAfter {
  static constexpr uint32_t kScratch = 0;
  __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>&,
                                    uint32_t count) const {
    Relu(y, y, count);
  }
};

extern "C" __global__ __aicore__ void conv_bn_relu(GM_ADDR x, GM_ADDR w, GM_ADDR scale,
                                                   GM_ADDR bias, GM_ADDR mean, GM_ADDR variance,
                                                   GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(ConvBatchNormTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  using Finish = conv_dense::BatchNormFinish<ReluAfter>;
  conv_dense::Kernel<Finish, DTYPE_X> op;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.conv.cube);
  op.Run(Finish(pipe, data), data.conv, pipe, x, w, y, workspace, scale, bias, mean, variance);
}
