// y = a * b, matrix by matrix, in whole numbers.
#include "matmul_epilogue.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void mat_mul_integer(GM_ADDR a, GM_ADDR b, GM_ADDR y,
                                                      GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  matmul::Kernel<matmul::NoEpilogue, DTYPE_Y, DTYPE_A, CubeFormat::ND, decltype(data.plan)> op;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.plan.cube);
  op.Run({}, data.plan, pipe, a, b, nullptr, y);
}
