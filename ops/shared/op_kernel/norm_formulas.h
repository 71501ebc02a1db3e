// Rows brought to mean 0 and variance 1, or to a mean square of 1; what follows is the op's.
//
//   struct Gelu { __aicore__ inline void operator()(const LocalTensor<float>& y, work, count)
//   const; }; norm::LayerNorm<Gelu> formula{epsilon};        // y = gelu(normal(x) * scale + bias)
//
// Several inputs that are rows are added first. Scale and bias are one row for all; where kOneRow
// is false, they are numbers of the rows, rows::PerRow.
#ifndef OPS_SHARED_NORM_FORMULAS_H_
#define OPS_SHARED_NORM_FORMULAS_H_

#include "norm_tiling.h"
#include "rows.h"

namespace norm {

using namespace AscendC;
using rows::Reduction;
using rows::Unit;

// Nothing more is done.
struct Plain {
  __aicore__ inline void operator()(const LocalTensor<float>&, const LocalTensor<float>&,
                                    uint32_t) const {}
};

// Adds the inputs.
struct Joining {
  __aicore__ inline LocalTensor<float> Join(Unit&, const LocalTensor<float>& in) const {
    return in;
  }
  __aicore__ inline LocalTensor<float> Join(Unit& unit, const LocalTensor<float>& a,
                                            const LocalTensor<float>& b) const {
    Add(a, a, b, unit.count());
    return a;
  }
};

// number = 1 / sqrt(number / columns + epsilon).
__aicore__ inline void Invert(Unit& unit, const LocalTensor<float>& number,
                              const LocalTensor<float>& one, uint64_t columns, float epsilon) {
  Muls(number, number, 1.0f / static_cast<float>(columns), unit.Height());
  Adds(number, number, epsilon, unit.Height());
  Sqrt(number, number, unit.Height());
  Duplicate(one, 1.0f, unit.Height());
  Div(number, one, number, unit.Height());
}

// y = after((x - mean) / sqrt(variance + epsilon) * scale + bias).
template <typename After = Plain, bool kOneRow = true>
struct LayerNorm : Joining {
  static constexpr uint32_t kNumbers = 2;  // are per row: the mean, 1 / the standard deviation
  float epsilon;
  __aicore__ inline explicit LayerNorm(float e) : epsilon(e) {}
  __aicore__ static constexpr Reduction How(uint32_t) { return Reduction::kSum; }

  __aicore__ inline LocalTensor<float> Prepare(Unit& unit, uint32_t n,
                                               const LocalTensor<float>& work,
                                               const LocalTensor<float>& x) const {
    if (n == 0) return x;
    unit.Subtract(x, x, 0);
    Mul(work, x, x, unit.count());
    return work;
  }
  __aicore__ inline void Finish(Unit& unit, uint32_t n, const LocalTensor<float>& number,
                                uint64_t columns) const {
    if (n == 0) {
      Muls(number, number, 1.0f / static_cast<float>(columns), unit.Height());
    } else {
      Invert(unit, number, unit.Number(kNumbers), columns, epsilon);
    }
  }
  // Scale stays apart from 1 / the standard deviation: their product may be too large for a float
  // where their products with x - mean are not.
  __aicore__ inline void Given(Unit& unit) const {
    unit.Spread(kScale);
    unit.Spread(kBias);
  }
  __aicore__ inline void Apply(Unit& unit, const LocalTensor<float>& y, const LocalTensor<float>& x,
                               const LocalTensor<float>& work, bool kept,
                               const LocalTensor<float>& scale,
                               const LocalTensor<float>& bias) const {
    if (!kept) unit.Subtract(x, x, 0);
    unit.Multiply(y, x, 1);
    unit.WithRow(y, [&](const auto& part, uint32_t column, const auto&... how) {
      FusedMulAdd(part, scale[column], bias[column], how...);
    });
    After()(y, work, unit.count());
  }
  __aicore__ inline void Apply(Unit& unit, const LocalTensor<float>& y, const LocalTensor<float>& x,
                               const LocalTensor<float>& work, bool kept) const {
    if (!kept) unit.Subtract(x, x, 0);
    unit.Multiply(y, x, 1);
    unit.MultiplyAdd(y, kScale, kBias);
    After()(y, work, unit.count());
  }

 private:
  static constexpr uint32_t kScale = kNumbers + 1, kBias = kScale + 1;  // given, not kOneRow
};

// y = x / sqrt(mean(x * x) + epsilon) * scale.
struct RmsNorm : Joining {
  static constexpr uint32_t kNumbers = 1;  // are per row: 1 / the root of the mean square
  float epsilon;
  __aicore__ inline explicit RmsNorm(float e) : epsilon(e) {}
  __aicore__ static constexpr Reduction How(uint32_t) { return Reduction::kSum; }

  __aicore__ inline LocalTensor<float> Prepare(Unit& unit, uint32_t, const LocalTensor<float>& work,
                                               const LocalTensor<float>& x) const {
    Mul(work, x, x, unit.count());
    return work;
  }
  __aicore__ inline void Finish(Unit& unit, uint32_t, const LocalTensor<float>& number,
                                uint64_t columns) const {
    Invert(unit, number, unit.Number(kNumbers), columns, epsilon);
  }
  __aicore__ inline void Apply(Unit& unit, const LocalTensor<float>& y, const LocalTensor<float>& x,
                               const LocalTensor<float>&, bool,
                               const LocalTensor<float>& scale) const {
    unit.Multiply(y, x, 0);
    unit.WithRow(y, [&](const auto& part, uint32_t column, uint64_t mask, uint8_t repeats,
                        const BinaryRepeatParams& how) {
      Mul(part, part, scale[column], mask, repeats,
          BinaryRepeatParams(1, 1, 1, how.dstRepStride, how.dstRepStride, how.src1RepStride));
    });
  }
};

}  // namespace norm

#endif  // OPS_SHARED_NORM_FORMULAS_H_
