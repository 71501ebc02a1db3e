// y = act(x * w + addend).
#include "activation.h"
#include "matmul_epilogue.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void mat_mul_add_activation(GM_ADDR x, GM_ADDR w, GM_ADDR addend,
                                                             GM_ADDR y, GM_ADDR workspace,
                                                             GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  matmul::Kernel<bend::ActivationEpilogue, DTYPE_Y, DTYPE_X, CubeFormat::ND, decltype(data.plan)>
      op;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.plan.cube);
  op.Run({data.which}, data.plan, pipe, x, w, addend, y);
}
