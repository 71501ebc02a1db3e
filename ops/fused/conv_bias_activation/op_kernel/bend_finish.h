// What the vector cores make of a piece of a convolution: act(sums + addend). The sums lie in the
// workspace as an op apart would have stored them.
#ifndef CONV_BIAS_ACTIVATION_BEND_FINISH_H_
#define CONV_BIAS_ACTIVATION_BEND_FINISH_H_

#include "bending.h"
#include "conv.h"
#include "conv_bias_activation_tiling.h"

using namespace AscendC;

template <typename T>
class BendFinish {
 public:
  __aicore__ inline BendFinish(const ConvBiasActivationTilingData& data, TPipe& pipe, bool adds)
      : bending_{data.which, data.least, data.most, data.alpha}, adds_(adds) {
    if (!bends()) return;
    pipe.InitBuffer(values_, conv::kPieceSums * sizeof(float));
    pipe.InitBuffer(work_, 2 * conv::kPieceSums * sizeof(float));
  }

  __aicore__ inline void operator()(const LocalTensor<T>& out, const LocalTensor<T>& sums,
                                    const LocalTensor<T>& addend, const conv::Piece& piece) {
    const uint32_t count = piece.count;
    if (bends()) return BendFloats(out, sums, addend, count);
    if (adds_) Add(sums, sums, addend, count);
    bending_.which == kBendRelu ? Relu(out, sums, count)
                                : Adds(out, sums, static_cast<T>(0), count);
  }

 private:
  // Tells whether it takes floats: ReLU is exact in any type.
  __aicore__ inline bool bends() const { return bending_.which > kBendRelu; }

  __aicore__ inline void BendFloats(const LocalTensor<T>& out, const LocalTensor<T>& sums,
                                    const LocalTensor<T>& addend, uint32_t count) {
    const LocalTensor<float> values = values_.template Get<float>(),
                             work = work_.template Get<float>();
    if constexpr (IsSameType<T, float>::value) {
      adds_ ? Add(values, sums, addend, count) : Adds(values, sums, 0.0f, count);
      bending_(values, work, conv::kPieceSums, count);
      Adds(out, values, 0.0f, count);
    } else {
      Cast(values, sums, RoundMode::CAST_NONE, count);
      if (adds_) {
        Cast(work, addend, RoundMode::CAST_NONE, count);
        Add(values, values, work, count);
      }
      bending_(values, work, conv::kPieceSums, count);
      Cast(out, values, RoundMode::CAST_RINT, count);
    }
  }

  bend::Bending<T> bending_;
  bool adds_;
  TBuf<TPosition::VECCALC> values_, work_;
};

#endif  // CONV_BIAS_ACTIVATION_BEND_FINISH_H_
