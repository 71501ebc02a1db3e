// y = act(x * w + addend).
#include "matmul_epilogue.h"
#include "sigmoid_tanh.h"

using namespace AscendC;

struct ActivationEpilogue {
  static constexpr uint32_t kScratch = 2 * sizeof(float);
  static constexpr uint32_t kRelu = 0, kSigmoid = 1, kTanh = 2, kSilu = 3;
  uint32_t which;

  __aicore__ inline void operator()(const LocalTensor<float>& sums,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    if (which == kRelu) return Relu(sums, sums, count);
    const LocalTensor<float> work = scratch.ReinterpretCast<float>();
    if (which == kTanh) return bend::Tanh(sums, work, count);
    const LocalTensor<float> root = work[(count + 7) / 8 * 8];
    bend::Sigmoid(sums, root, work, which == kSilu, count);
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
