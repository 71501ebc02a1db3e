// y = act((x * w + bias) * scale * token_scale).
#include "channel_numbers.h"
#include "column_numbers.h"
#include "gelu_activation.h"
#include "matmul_epilogue.h"

using namespace AscendC;
using product::Block;

// Makes floats of a block of whole sums.
class Dequant {
 public:
  static constexpr bool kPlaced = true;
  using Result = float;

  template <typename Tiling>
  __aicore__ inline Dequant(TPipe& pipe, const Tiling& t, GM_ADDR scale, GM_ADDR token_scale)
      : which_(t.which), one_scale_(t.one_scale != 0), has_tokens_(t.has_tokens != 0) {
    const uint32_t rows = t.plan.piece_rows, columns = static_cast<uint32_t>(t.plan.cube.baseN);
    scale_.Init(pipe, scale, columns);
    tokens_.Init(pipe, rows, has_tokens_ ? token_scale : nullptr);
    pipe.InitBuffer(work_, rows * columns * bend::ScratchOf(t.which));
  }

  __aicore__ inline void operator()(const LocalTensor<int32_t>& sums, const Block& block) const {
    const LocalTensor<float> values = sums.ReinterpretCast<float>();
    Cast(values, sums, RoundMode::CAST_RINT, block.elements());
    if (one_scale_) {
      Muls(values, values, scale_.First(), block.elements());
    } else {
      scale_.Multiply(values, block);
    }
    if (has_tokens_) {
      tokens_.Bring(TokenScale(), block);
      tokens_.unit().Multiply(values, values, 0);
    }
    bend::ActivateOrGelu(which_, values, work_.Get<uint8_t>(), block.elements());
  }

 private:
  struct TokenScale {
    static constexpr uint32_t kVectors = 1, kNumbers = 1;
    __aicore__ inline void Prepare(rows::Unit&) const {}
  };

  uint32_t which_;
  bool one_scale_, has_tokens_;
  mutable product::ColumnNumbers scale_;
  mutable conv_dense::ChannelNumbers<TokenScale, float> tokens_;
  mutable TBuf<TPosition::VECCALC> work_;
};

extern "C" __global__ __aicore__ void quant_mat_mul_dequant(GM_ADDR x, GM_ADDR w, GM_ADDR scale,
                                                            GM_ADDR bias, GM_ADDR token_scale,
                                                            GM_ADDR y, GM_ADDR workspace,
                                                            GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const matmul::Tensors tensors{x, w, bias, y, workspace};
  const auto make = [&] { return Dequant(pipe, data, scale, token_scale); };
  if (TILING_KEY_IS(0)) {  // the vector units drive the cube unit
    matmul::Driven<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  } else if (TILING_KEY_IS(1)) {
    matmul::InSlots<DTYPE_Y, DTYPE_X, CubeFormat::ND>(make, data.plan, pipe, tensors);
  }
}
