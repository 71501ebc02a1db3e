// y = act(x * w + addend).
#include "matmul_epilogue.h"

using namespace AscendC;

// Sigmoid, and what it is a part of, by Exp alone, which every chip has.
struct ActivationEpilogue {
  static constexpr uint32_t kScratch = 2 * sizeof(float);
  static constexpr uint32_t kRelu = 0, kSigmoid = 1, kTanh = 2, kSilu = 3;
  uint32_t which;

  __aicore__ inline void operator()(const LocalTensor<float>& sums,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    if (which == kRelu) return Relu(sums, sums, count);
    const LocalTensor<float> work = scratch.ReinterpretCast<float>();
    if (which == kTanh) return Tangent(sums, work, count);
    const LocalTensor<float> root = work[UpToBlock(count)];
    Halves(root, work, sums, count);
    if (which == kSigmoid) Duplicate(sums, 1.0f, count);
    Mul(sums, sums, root, count);
    Mul(sums, sums, root, count);
    Div(sums, sums, work, count);
  }

 private:
  __aicore__ static inline uint32_t UpToBlock(uint32_t n) { return (n + 7) / 8 * 8; }

  // sigmoid(x) = root * root / rest with root = exp(min(x, 0) / 2) and rest = 1 + exp(-|x|), of
  // which nothing overflows, and the root is no subnormal number where sigmoid is.
  __aicore__ inline void Halves(const LocalTensor<float>& root, const LocalTensor<float>& rest,
                                const LocalTensor<float>& x, uint32_t count) const {
    Mins(root, x, 0.0f, count);
    Muls(root, root, 0.5f, count);
    Exp(root, root, count);
    Abs(rest, x, count);
    Muls(rest, rest, -1.0f, count);
    Exp(rest, rest, count);
    Adds(rest, rest, 1.0f, count);
  }
  // (1 - exp(-2 * x)) / (1 + exp(-2 * x)); beyond 20 it is 1.
  __aicore__ inline void Tangent(const LocalTensor<float>& x, const LocalTensor<float>& work,
                                 uint32_t count) const {
    Mins(x, x, 20.0f, count);
    Maxs(x, x, -20.0f, count);
    Muls(work, x, -2.0f, count);
    Exp(work, work, count);
    Muls(x, work, -1.0f, count);
    Adds(x, x, 1.0f, count);
    Adds(work, work, 1.0f, count);
    Div(x, x, work, count);
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
