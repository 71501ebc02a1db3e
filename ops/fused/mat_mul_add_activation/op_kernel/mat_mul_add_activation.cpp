// y = act(x * w + addend).
#include "activation.h"
#include "matmul_epilogue.h"

using namespace AscendC;

struct ActivationEpilogue {
  static constexpr uint32_t kScratch = bend::kActivationScratch;
  uint32_t which;

  __aicore__ inline void operator()(const LocalTensor<float>& sums,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    bend::Activate(which, sums, scratch, count);
  }
};

extern "C" __global__ __aicore__ void mat_mul_add_activation(GM_ADDR x, GM_ADDR w, GM_ADDR addend,
                                                             GM_ADDR y, GM_ADDR workspace,
                                                             GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  matmul::Kernel<ActivationEpilogue, DTYPE_Y, DTYPE_X, CubeFormat::ND, decltype(data.plan)> op;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.plan.cube);
  op.Run({data.which}, data.plan, pipe, x, w, addend, y);
}
