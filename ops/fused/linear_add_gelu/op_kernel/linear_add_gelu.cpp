// y = gelu(x * w + bias).
#include "gelu_erf.h"
#include "gelu_tanh.h"
#include "matmul_epilogue.h"

using namespace AscendC;

class GeluEpilogue {
 public:
  static constexpr uint32_t kScratch = 2 * sizeof(float);

  __aicore__ inline GeluEpilogue(TPipe& pipe, bool by_tanh) : by_tanh_(by_tanh) {
    pipe.InitBuffer(constants_, GeluErf::kConstants);
    by_erf_.Init(constants_.Get<float>());
  }
  __aicore__ inline void operator()(const LocalTensor<float>& sums,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const LocalTensor<float> work = scratch.ReinterpretCast<float>();
    if (by_tanh_) return GeluTanh()(sums, work, count);
    by_erf_(sums, work, work[work.GetSize() / 2], count);
  }

 private:
  bool by_tanh_;
  GeluErf by_erf_;
  TBuf<TPosition::VECCALC> constants_;
};

extern "C" __global__ __aicore__ void linear_add_gelu(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y,
                                                      GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const matmul::Tensors tensors{x, w, bias, y, workspace};
  const auto make = [&] { return GeluEpilogue(pipe, data.by_tanh != 0); };
  if (TILING_KEY_IS(0)) {  // the vector units drive the cube unit
    matmul::Driven<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(1)) {
    matmul::InSlots<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  }
}
