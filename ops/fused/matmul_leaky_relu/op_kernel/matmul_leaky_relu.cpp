// y = leaky_relu(x * w + bias).
#include "matmul_epilogue.h"

using namespace AscendC;

struct LeakyReluEpilogue {
  float slope;
  __aicore__ inline void operator()(const LocalTensor<float>& sums, uint32_t count) const {
    LeakyRelu(sums, sums, slope, count);
  }
};

extern "C" __global__ __aicore__ void matmul_leaky_relu(GM_ADDR x, GM_ADDR w, GM_ADDR bias,
                                                        GM_ADDR y, GM_ADDR workspace,
                                                        GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  constexpr CubeFormat kWeight = FORMAT_W == FORMAT_FRACTAL_NZ ? CubeFormat::NZ : CubeFormat::ND;
  matmul::Kernel<LeakyReluEpilogue, DTYPE_Y, DTYPE_X, kWeight, decltype(data.plan)> op;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.plan.cube);
  op.Run({data.slope}, data.plan, pipe, x, w, bias, y);
}
