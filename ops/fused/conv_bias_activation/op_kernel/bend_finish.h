// What the vector cores make of a piece of a convolution: act(sums + addend). The sums lie in the
// workspace as an op apart would have stored them.
#ifndef CONV_BIAS_ACTIVATION_BEND_FINISH_H_
#define CONV_BIAS_ACTIVATION_BEND_FINISH_H_

#include "conv.h"
#include "conv_bias_activation_tiling.h"
#include "sigmoid_tanh.h"

using namespace AscendC;

template <typename T>
class BendFinish {
 public:
  __aicore__ inline BendFinish(const ConvBiasActivationTilingData& data, TPipe& pipe, bool adds)
      : which_(data.which), least_(data.least), most_(data.most), alpha_(data.alpha), adds_(adds) {
    if (!bends()) return;
    pipe.InitBuffer(values_, conv::kPieceSums * sizeof(float));
    pipe.InitBuffer(work_, 2 * conv::kPieceSums * sizeof(float));
  }

  __aicore__ inline void operator()(const LocalTensor<T>& out, const LocalTensor<T>& sums,
                                    const LocalTensor<T>& addend, const conv::Piece& piece) {
    const uint32_t count = piece.count;
    if (bends()) return BendFloats(out, sums, addend, count);
    if (adds_) Add(sums, sums, addend, count);
    which_ == kBendRelu ? Relu(out, sums, count) : Adds(out, sums, static_cast<T>(0), count);
  }

 private:
  // Tells whether it takes floats: ReLU is exact in any type.
  __aicore__ inline bool bends() const { return which_ > kBendRelu; }

  __aicore__ inline void BendFloats(const LocalTensor<T>& out, const LocalTensor<T>& sums,
                                    const LocalTensor<T>& addend, uint32_t count) {
    const LocalTensor<float> values = values_.template Get<float>(),
                             work = work_.template Get<float>();
    if constexpr (IsSameType<T, float>::value) {
      adds_ ? Add(values, sums, addend, count) : Adds(values, sums, 0.0f, count);
      Bend(values, work, count);
      Adds(out, values, 0.0f, count);
    } else {
      Cast(values, sums, RoundMode::CAST_NONE, count);
      if (adds_) {
        Cast(work, addend, RoundMode::CAST_NONE, count);
        Add(values, values, work, count);
      }
      Bend(values, work, count);
      Cast(out, values, RoundMode::CAST_RINT, count);
    }
  }

  // x = act(x).
  __aicore__ inline void Bend(const LocalTensor<float>& x, const LocalTensor<float>& work,
                              uint32_t count) const {
    if (which_ == kBendClip) {
      Maxs(x, x, least_, count);
      Mins(x, x, most_, count);
    } else if (which_ == kBendLeaky) {
      LeakyRelu(x, x, alpha_, count);
    } else if (which_ == kBendSilu) {
      Silu(x, work, count);
    } else if (which_ == kBendHardSwish) {
      Muls(work, x, 1.0f / 6.0f, count);
      Adds(work, work, 0.5f, count);
      Maxs(work, work, 0.0f, count);
      Mins(work, work, 1.0f, count);
      Mul(x, x, work, count);
    }
  }

  // x = x * sigmoid(x). Where exp(-x) overflows, the result is zero in float16, but not in float.
  __aicore__ inline void Silu(const LocalTensor<float>& x, const LocalTensor<float>& work,
                              uint32_t count) const {
    if constexpr (IsSameType<T, float>::value) {
      bend::Sigmoid(x, work, work[conv::kPieceSums], true, count);
    } else {
      Muls(work, x, -1.0f, count);
      Exp(work, work, count);
      Adds(work, work, 1.0f, count);
      Div(x, x, work, count);
    }
  }

  uint32_t which_;
  float least_, most_, alpha_;
  bool adds_;
  TBuf<TPosition::VECCALC> values_, work_;
};

#endif  // CONV_BIAS_ACTIVATION_BEND_FINISH_H_
