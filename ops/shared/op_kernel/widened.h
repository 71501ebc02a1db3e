// Elements of UB in float: cast into memory of their own, or as they are when they are float.
//
//   Widened<half> wide;
//   wide.Init(pipe, elements);            // the most of a call
//   LocalTensor<float> x = wide(in, count);
#ifndef OPS_SHARED_WIDENED_H_
#define OPS_SHARED_WIDENED_H_

#include "kernel_operator.h"

template <typename T>
class Widened {
 public:
  static constexpr bool kCasts = !AscendC::IsSameType<T, float>::value;

  __aicore__ inline void Init(AscendC::TPipe& pipe, uint32_t elements) {
    if constexpr (kCasts) pipe.InitBuffer(memory_, elements * sizeof(float));
  }

  __aicore__ inline AscendC::LocalTensor<float> operator()(const AscendC::LocalTensor<T>& in,
                                                           uint32_t count) {
    if constexpr (kCasts) {
      const AscendC::LocalTensor<float> wide = memory_.template Get<float>();
      AscendC::Cast(wide, in, AscendC::RoundMode::CAST_NONE, count);
      return wide;
    } else {
      return in;
    }
  }

 private:
  AscendC::TBuf<AscendC::TPosition::VECCALC> memory_;
};

#endif  // OPS_SHARED_WIDENED_H_
