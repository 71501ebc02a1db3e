// y = saturate(round(act((x * w + bias) * scale) * factor) + offset).
#include "column_numbers.h"
#include "gelu_activation.h"
#include "matmul_epilogue.h"
#include "requant.h"

using namespace AscendC;
using product::Block;

// Makes whole numbers near 8 bits, as halves, of a block of whole sums.
class Requantized {
 public:
  static constexpr bool kPlaced = true;
  using Result = half;

  template <typename Tiling>
  __aicore__ inline Requantized(TPipe& pipe, const Tiling& t, const bend::Requant& finish,
                                GM_ADDR scale)
      : finish_(finish), one_scale_(t.one_scale != 0) {
    const uint32_t rows = t.plan.piece_rows, columns = static_cast<uint32_t>(t.plan.cube.baseN);
    scale_.Init(pipe, scale, columns);
    pipe.InitBuffer(work_, rows * columns * bend::ScratchOf(t.which));
  }

  __aicore__ inline void operator()(const LocalTensor<int32_t>& sums, const Block& block) const {
    const uint32_t count = block.elements();
    const LocalTensor<float> values = sums.ReinterpretCast<float>();
    Cast(values, sums, RoundMode::CAST_RINT, count);
    if (one_scale_) {
      Muls(values, values, scale_.First(), count);
    } else {
      scale_.Multiply(values, block);
    }
    bend::ActivateOrGelu(finish_.which, values, work_.Get<uint8_t>(), count);
    finish_.Finish(values, count);
    const LocalTensor<half> narrow = work_.Get<half>();
    quantized::Narrow(narrow, values, count);
    Muls(sums.ReinterpretCast<half>(), narrow, static_cast<half>(1.0f), count);
  }

 private:
  const bend::Requant finish_;
  bool one_scale_;
  mutable product::ColumnNumbers scale_;
  mutable TBuf<TPosition::VECCALC> work_;
};

extern "C" __global__ __aicore__ void quant_mat_mul_requant(GM_ADDR x, GM_ADDR w, GM_ADDR scale,
                                                            GM_ADDR offset, GM_ADDR bias,
                                                            GM_ADDR factor, GM_ADDR y,
                                                            GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const matmul::Tensors tensors{x, w, bias, y, workspace};
  const auto make = [&] {
    return Requantized(pipe, data,
                       bend::RequantOf(data.which, data.has_factor != 0, factor, offset), scale);
  };
  if (TILING_KEY_IS(0)) {  // the vector units drive the cube unit
    matmul::Driven<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(1)) {
    matmul::InSlots<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  }
}
