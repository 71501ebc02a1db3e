// y = (x - mean) * (scale / sqrt(variance + epsilon)) + bias.
#include "batch_normalization_tiling.h"
#include "rows.h"

using namespace AscendC;

// Serves few elements of a channel: every operand has a number for each of them.
struct Spread {
  float epsilon;
  __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                    const LocalTensor<float>& scale, const LocalTensor<float>& bias,
                                    const LocalTensor<float>& mean,
                                    const LocalTensor<float>& variance, uint32_t count) const {
    Adds(variance, variance, epsilon, count);
    Sqrt(variance, variance, count);
    Div(scale, scale, variance, count);
    Sub(y, x, mean, count);
    Mul(y, y, scale, count);
    Add(y, y, bias, count);
  }
};

// A channel is a row: what its numbers come to is found once.
struct Channels : rows::NoNumbers {
  float epsilon;
  __aicore__ inline explicit Channels(float e) : epsilon(e) {}

  __aicore__ inline LocalTensor<float> Join(rows::Unit&, const LocalTensor<float>& in) const {
    return in;
  }
  // The numbers of the rows are there.
  __aicore__ inline void Given(rows::Unit& unit) const {
    const LocalTensor<float> scale = unit.Number(kScale), variance = unit.Number(kVariance);
    Adds(variance, variance, epsilon, unit.Height());
    Sqrt(variance, variance, unit.Height());
    Div(scale, scale, variance, unit.Height());
    unit.Spread(kScale);
    unit.Spread(kBias);
    unit.Spread(kMean);
  }
  __aicore__ inline void Apply(rows::Unit& unit, const LocalTensor<float>& y,
                               const LocalTensor<float>& x, const LocalTensor<float>&, bool) const {
    unit.Subtract(y, x, kMean);
    unit.MultiplyAdd(y, kScale, kBias);
  }

 private:
  static constexpr uint32_t kScale = 1, kBias = 2, kMean = 3, kVariance = 4;
};

extern "C" __global__ __aicore__ void batch_normalization(GM_ADDR x, GM_ADDR scale, GM_ADDR bias,
                                                          GM_ADDR mean, GM_ADDR variance, GM_ADDR y,
                                                          GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(BatchNormalizationTilingData);
  GET_TILING_DATA(data, tiling);
  using Wide = elementwise::In<DTYPE_X, float>;
  using Result = elementwise::Out<DTYPE_Y, RoundMode::CAST_RINT, float>;
  if (TILING_KEY_IS(0)) {
    elementwise::Kernel<Spread, Result, Wide, Wide, Wide, Wide, Wide> op(data.rows.view);
    op.Run({data.epsilon}, y, x, scale, bias, mean, variance);
  } else if (TILING_KEY_IS(1)) {
    rows::Kernel<Channels, Result, rows::Joined<Wide>, rows::PerRow<DTYPE_SCALE, 4>> op(data.rows);
    op.Run(Channels(data.epsilon), y, rows::List(x), rows::List(scale, bias, mean, variance));
  }
}
