// y = (x - mean) / sqrt(variance + epsilon) * scale + bias along the last dim.
#include "layer_normalization_tiling.h"
#include "rows.h"

using namespace AscendC;
using rows::Reduction;

struct LayerNormalizationFormula {
  static constexpr uint32_t kNumbers = 2;  // of a row: the mean, 1 / the standard deviation
  float epsilon;
  __aicore__ static constexpr Reduction How(uint32_t) { return Reduction::kSum; }

  __aicore__ inline void Join(rows::Unit& unit, const LocalTensor<float>& x,
                              const LocalTensor<float>& in) const {
    Adds(x, in, 0.0f, unit.count());
  }
  __aicore__ inline LocalTensor<float> Prepare(rows::Unit& unit, uint32_t n,
                                               const LocalTensor<float>& work,
                                               const LocalTensor<float>& x) const {
    if (n == 0) return x;
    unit.Subtract(work, x, 0);
    Mul(work, work, work, unit.count());
    return work;
  }
  __aicore__ inline void Finish(rows::Unit& unit, uint32_t n, const LocalTensor<float>& number,
                                uint64_t columns) const {
    Muls(number, number, 1.0f / static_cast<float>(columns), unit.Height());
    if (n == 0) return;
    const LocalTensor<float> one = unit.Number(kNumbers);
    Adds(number, number, epsilon, unit.Height());
    Sqrt(number, number, unit.Height());
    Duplicate(one, 1.0f, unit.Height());
    Div(number, one, number, unit.Height());
  }
  __aicore__ inline void Apply(rows::Unit& unit, const LocalTensor<float>& y,
                               const LocalTensor<float>& x, const LocalTensor<float>&, bool,
                               const LocalTensor<float>& scale,
                               const LocalTensor<float>& bias) const {
    unit.Subtract(y, x, 0);
    unit.Multiply(y, y, 1);
    Mul(y, y, scale, unit.count());
    Add(y, y, bias, unit.count());
  }
};

extern "C" __global__ __aicore__ void layer_normalization(GM_ADDR x, GM_ADDR scale, GM_ADDR bias,
                                                          GM_ADDR y, GM_ADDR workspace,
                                                          GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(LayerNormalizationTilingData);
  GET_TILING_DATA(data, tiling);
  using namespace rows;
  using Wide = In<DTYPE_X, float>;
  Kernel<LayerNormalizationFormula, Out<DTYPE_Y, RoundMode::CAST_RINT, float>, Joined<Wide>,
         Finals<Wide, Wide>>
      op(data.rows);
  op.Run({data.epsilon}, y, List(x), List(scale, bias));
}
