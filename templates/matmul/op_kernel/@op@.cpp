// y = relu(x * w + bias).
#include "matmul_epilogue.h"

using namespace AscendC;

// What becomes of a block of sums before it is narrowed and stored. Change this and the reference
// in op_contract.yaml.
struct @OP@Epilogue {
  __aicore__ inline void operator()(const LocalTensor<float>& sums, uint32_t count) const {
    Relu(sums, sums, count);
  }
};

extern "C" __global__ __aicore__ void @op@(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  matmul::Kernel<@OP@Epilogue, DTYPE_Y, DTYPE_X, CubeFormat::ND, decltype(data.plan)> op;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.plan.cube);
  op.Run({}, data.plan, pipe, x, w, bias, y);
}
