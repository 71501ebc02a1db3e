// y = a * b, matrix by matrix.
#include "matmul_epilogue.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void mat_mul(GM_ADDR a, GM_ADDR b, GM_ADDR y, GM_ADDR workspace,
                                              GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const matmul::Tensors tensors{a, b, nullptr, y, workspace};
  if (TILING_KEY_IS(0)) {  // the vector units drive the cube unit
    const auto make = [] { return matmul::NoEpilogue(); };
    matmul::Driven<DTYPE_Y, DTYPE_A, CubeFormat::ND>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(2)) {
    KERNEL_TASK_TYPE(2, KERNEL_TYPE_AIC_ONLY);
    matmul::CubeAlone<DTYPE_Y, DTYPE_A, CubeFormat::ND>(data.plan, pipe, tensors);
  }
}
