// scale = max|x * smooth_scales| / 127 of every row, y = round(x * smooth_scales / scale).
#include "rows.h"

using namespace AscendC;
using rows::Reduction;
using rows::Unit;

struct Quantised {
  static constexpr uint32_t kNumbers = 1;   // is per row: what its elements are divided by
  static constexpr uint32_t kReported = 1;  // the scale, which is 0 in a row of zeros
  __aicore__ static constexpr Reduction How(uint32_t) { return Reduction::kMax; }

  __aicore__ inline LocalTensor<float> Join(Unit&, const LocalTensor<float>& in) const {
    return in;
  }
  __aicore__ inline LocalTensor<float> Join(Unit& unit, const LocalTensor<float>& in,
                                            const LocalTensor<float>& factors) const {
    Mul(in, in, factors, unit.count());
    return in;
  }
  __aicore__ inline LocalTensor<float> Prepare(Unit& unit, uint32_t, const LocalTensor<float>& work,
                                               const LocalTensor<float>& x) const {
    Abs(work, x, unit.count());
    return work;
  }
  __aicore__ inline void Finish(Unit& unit, uint32_t, const LocalTensor<float>& number,
                                uint64_t) const {
    constexpr float kLeast = 1.4e-45f;  // no other scale is less
    const LocalTensor<float> scale = unit.Number(kReported);
    Duplicate(scale, 127.0f, unit.Height());
    Div(scale, number, scale, unit.Height());
    Maxs(number, scale, kLeast, unit.Height());
  }
  __aicore__ inline void Apply(Unit& unit, const LocalTensor<float>& y, const LocalTensor<float>& x,
                               const LocalTensor<float>&, bool) const {
    unit.Divide(y, x, 0);
    quantized::Round(y, unit.count());
  }
};

template <typename JoinedPorts, typename Inputs>
__aicore__ inline void Run(const RowsTiling& tiling, GM_ADDR y, GM_ADDR scale,
                           const Inputs& inputs) {
  rows::Kernel<Quantised, rows::Out<int8_t, RoundMode::CAST_RINT, float>, JoinedPorts> op(tiling);
  op.Run({}, y, inputs, rows::List(), scale);
}

extern "C" __global__ __aicore__ void dynamic_quant(GM_ADDR x, GM_ADDR smooth_scales, GM_ADDR y,
                                                    GM_ADDR scale, GM_ADDR workspace,
                                                    GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(RowsTiling);
  GET_TILING_DATA(data, tiling);
  using Wide = rows::In<DTYPE_X, float>;
  if (TILING_KEY_IS(0)) {
    Run<rows::Joined<Wide>>(data, y, scale, rows::List(x));
  } else if (TILING_KEY_IS(1)) {  // smooth_scales are there
    Run<rows::Joined<Wide, Wide>>(data, y, scale, rows::List(x, smooth_scales));
  }
}
