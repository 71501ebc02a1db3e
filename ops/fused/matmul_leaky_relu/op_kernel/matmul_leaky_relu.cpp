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
  const matmul::Tensors tensors{x, w, bias, y, workspace};
  const auto make = [&] { return LeakyReluEpilogue{data.slope}; };
  if (TILING_KEY_IS(0)) {  // the vector units drive the cube unit
    matmul::Driven<DTYPE_Y, DTYPE_X, kWeight>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(1)) {
    matmul::InSlots<DTYPE_Y, DTYPE_X, kWeight>(make, data.plan, pipe, tensors);
  }
}
