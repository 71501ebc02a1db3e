// y = relu(convolution(x, w) + bias).
#include "conv.h"

using namespace AscendC;

// What becomes of the sums of a tile's pixels, bias included, before they are narrowed and stored.
// Change this and the reference in op_contract.yaml.
struct @OP@Epilogue {
  __aicore__ inline void operator()(const LocalTensor<float>& sums, uint32_t count) const {
    Relu(sums, sums, count);
  }
};

extern "C" __global__ __aicore__ void @op@(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(ConvTiling);
  GET_TILING_DATA(data, tiling);
  conv::Run<DTYPE_X>(@OP@Epilogue{}, data, x, w, bias, y, workspace);
}
