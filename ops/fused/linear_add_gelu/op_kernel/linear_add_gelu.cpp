// y = gelu(x * w + bias).
#include "gelu_tanh.h"
#include "matmul_epilogue.h"
#include "normal_tail.h"

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
    Erf(sums, work, count);  // its page excludes the same tensor
    Adds(sums, sums, 1.0f, count);
    Muls(work, work, kRootOfHalf, count);
    Mul(sums, sums, work, count);
  }
};

// For chips without the call Erf.
struct GeluByHand {
  static constexpr uint32_t kScratch = 3 * sizeof(float);
  __aicore__ inline void operator()(const LocalTensor<float>& sums,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const auto part = [&](uint32_t index) { return normal::PartOf(scratch, 3, index); };
    normal::Gelu(sums, sums, part(0), part(1), part(2), count);
  }
};

extern "C" __global__ __aicore__ void linear_add_gelu(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y,
                                                      GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const matmul::Tensors tensors{x, w, bias, y, workspace};
  const auto make = [&] { return GeluEpilogue{data.by_tanh != 0}; };
  if (TILING_KEY_IS(0)) {  // the vector units drive the cube unit
    matmul::Driven<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(1)) {
    matmul::InSlots<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(3)) {  // does as 0, by hand
    const auto by_hand = [] { return GeluByHand(); };
    matmul::Driven<DTYPE_Y, DTYPE_X, CubeFormat::ND>(by_hand, data.plan, pipe, tensors);
  }
}
