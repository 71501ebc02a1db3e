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
  const matmul::Tensors tensors{x, w, addend, y, workspace};
  const auto make = [&] { return bend::ActivationEpilogue{data.which}; };
  if (TILING_KEY_IS(0)) {  // the vector units drive the cube unit
    matmul::Driven<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(1)) {
    matmul::InSlots<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(2)) {  // relu needs no vector core
    KERNEL_TASK_TYPE(2, KERNEL_TYPE_AIC_ONLY);
    matmul::ReluOnCube<DTYPE_Y, DTYPE_X, CubeFormat::ND>(data.plan, pipe, tensors);
  }
}
