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
  const matmul::Tensors tensors{x, w, bias, y, workspace};
  const auto make = [] { return @OP@Epilogue(); };
  if (TILING_KEY_IS(0)) {  // the vector units drive the cube unit
    matmul::Driven<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(1)) {  // the cube core leaves blocks of sums for the vector cores
    matmul::InSlots<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  }
}
