// y = round(silu(a) * b * quant_scale + quant_offset), a and b the halves of each row of
// x * weight_scale * activation_scale.
#include "dequant_swiglu_quant_tiling.h"
#include "elementwise.h"
#include "quantized.h"
#include "sigmoid_tanh.h"

using namespace AscendC;
using Values = LocalTensor<float>;
using Scratch = LocalTensor<uint8_t>;

// Factors that the call has come behind the halves: of the columns of each, then of the rows.
struct GatedQuant {
  static constexpr uint32_t kScratch = 2 * sizeof(float);
  bool activate_left;
  float scale, offset;

  __aicore__ inline void operator()(const LocalTensor<half>& y, const Values& left,
                                    const Values& right, const Scratch& scratch,
                                    uint32_t count) const {
    const Values work = scratch.ReinterpretCast<float>(), rest = work[(count + 7) / 8 * 8];
    bend::Sigmoid(activate_left ? left : right, work, rest, true, count);
    Mul(left, left, right, count);
    Muls(left, left, scale, count);
    Adds(left, left, offset, count);
    quantized::Round(left, count);
    quantized::Narrow(y, left, count);
  }
  __aicore__ inline void operator()(const LocalTensor<half>& y, const Values& left,
                                    const Values& right, const Values& rows, const Scratch& scratch,
                                    uint32_t count) const {
    Mul(left, left, rows, count);
    Mul(right, right, rows, count);
    (*this)(y, left, right, scratch, count);
  }
  template <typename... Rest>
  __aicore__ inline void operator()(const LocalTensor<half>& y, const Values& left,
                                    const Values& right, const Values& left_columns,
                                    const Values& right_columns, const Rest&... rest) const {
    const uint32_t count = CountOf(rest...);
    Mul(left, left, left_columns, count);
    Mul(right, right, right_columns, count);
    (*this)(y, left, right, rest...);
  }

 private:
  __aicore__ static inline uint32_t CountOf(const Scratch&, uint32_t count) { return count; }
  __aicore__ static inline uint32_t CountOf(const Values&, const Scratch&, uint32_t count) {
    return count;
  }
};

__aicore__ inline float NumberAt(GM_ADDR address) {
  GlobalTensor<float> number;
  number.SetGlobalBuffer((__gm__ float*)address);
  return number.GetValue(0);
}

template <typename... Factors, typename... Addresses>
__aicore__ inline void Run(const ElementwiseTiling& data, bool activate_left, GM_ADDR x,
                           GM_ADDR quant_scale, GM_ADDR quant_offset, GM_ADDR y,
                           Addresses... factors) {
  using Half = elementwise::In<DTYPE_X, float>;
  elementwise::Kernel<GatedQuant, elementwise::Out<DTYPE_Y>, Half, Half, Factors...> op(data);
  op.Run({activate_left, NumberAt(quant_scale), NumberAt(quant_offset)}, y, x,
         x + data.columns * sizeof(DTYPE_X), factors...);
}

extern "C" __global__ __aicore__ void dequant_swiglu_quant(GM_ADDR x, GM_ADDR weight_scale,
                                                           GM_ADDR activation_scale,
                                                           GM_ADDR quant_scale,
                                                           GM_ADDR quant_offset, GM_ADDR y,
                                                           GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(DequantSwigluQuantTilingData);
  GET_TILING_DATA(data, tiling);
  using Factor = elementwise::In<float>;
  const bool left = data.activate_left != 0;
  GM_ADDR right_columns = weight_scale + data.view.columns * sizeof(float);
  if (TILING_KEY_IS(0)) {
    Run(data.view, left, x, quant_scale, quant_offset, y);
  } else if (TILING_KEY_IS(1)) {  // factors of the columns
    Run<Factor, Factor>(data.view, left, x, quant_scale, quant_offset, y, weight_scale,
                        right_columns);
  } else if (TILING_KEY_IS(2)) {  // takes factors of the rows
    Run<Factor>(data.view, left, x, quant_scale, quant_offset, y, activation_scale);
  } else if (TILING_KEY_IS(3)) {  // both
    Run<Factor, Factor, Factor>(data.view, left, x, quant_scale, quant_offset, y, weight_scale,
                                right_columns, activation_scale);
  }
}
