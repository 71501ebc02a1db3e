// y = gelu(x * w + bias).
#include "gelu_tanh.h"
#include "matmul_epilogue.h"

using namespace AscendC;

struct GeluEpilogue {
  static constexpr uint32_t kScratch = sizeof(float);
  bool by_tanh;
  __aicore__ inline void operator()(const LocalTensor<float>& sums,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    constexpr float kRootOfHalf = 0.70710678f;
    const LocalTensor<float> work = scratch.ReinterpretCast<float>();
    if (by_tanh) return GeluTanh()(sums, work, count);
    Muls(work, sums, kRootOfHalf, count);
    Erf(work, work, count);
    Adds(work, work, 1.0f, count);
    Muls(sums, sums, 0.5f, count);
    Mul(sums, sums, work, count);
  }
};

extern "C" __global__ __aicore__ void linear_add_gelu(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y,
                                                      GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  matmul::Kernel<GeluEpilogue, DTYPE_Y, DTYPE_X, CubeFormat::ND, decltype(data.plan)> op;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.plan.cube);
  op.Run({data.by_tanh != 0}, data.plan, pipe, x, w, bias, y);
}
