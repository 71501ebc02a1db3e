// The kernel of the ops that add two tensors of int8.
#ifndef OPS_BUILTIN_REQUANTIZE_QUANTIZED_SUM_H_
#define OPS_BUILTIN_REQUANTIZE_QUANTIZED_SUM_H_

#include "last_steps.h"

namespace requant {

struct Sum {
  static constexpr uint32_t kScratch = 2 * sizeof(float);
  float a_scale, b_scale;
  LastSteps last;

  __aicore__ inline void operator()(const LocalTensor<half>& y, const LocalTensor<half>& a,
                                    const LocalTensor<half>& b, const LocalTensor<uint8_t>& scratch,
                                    uint32_t count) const {
    const LocalTensor<float> left = scratch.ReinterpretCast<float>(),
                             right = left[(count + 7) / 8 * 8];
    Cast(left, a, RoundMode::CAST_NONE, count);
    Muls(left, left, a_scale, count);
    Cast(right, b, RoundMode::CAST_NONE, count);
    Muls(right, right, b_scale, count);
    Add(left, left, right, count);
    last(y, left, count);
  }
};

template <typename T>
__aicore__ inline void RunSum(const RequantizeTilingData& data, GM_ADDR a, GM_ADDR b,
                              GM_ADDR a_scale, GM_ADDR b_scale, GM_ADDR shift, GM_ADDR offset,
                              GM_ADDR y) {
  elementwise::Kernel<Sum, elementwise::Out<T>, elementwise::In<T>, elementwise::In<T>> op(
      data.view);
  op.Run({NumberAt<float>(a_scale),
          NumberAt<float>(b_scale),
          {data.relu != 0, NumberAt<float>(shift), NumberAt<int8_t>(offset)}},
         y, a, b);
}

}  // namespace requant

#endif  // OPS_BUILTIN_REQUANTIZE_QUANTIZED_SUM_H_
