// Whole numbers by Cast, for chips without Floor and its like.
#ifndef ELEMENTWISE_UNARY_ROUNDED_H_
#define ELEMENTWISE_UNARY_ROUNDED_H_

#include "elementwise.h"

namespace rounded {

using namespace AscendC;

// y = x rounded; from 2^23 on every number is whole. x is kept.
template <RoundMode kRound>
__aicore__ inline void Round(const LocalTensor<float>& y, const LocalTensor<float>& x,
                             const LocalTensor<uint8_t>& bits, uint32_t count) {
  constexpr float kWhole = 8388608.0f;
  Abs(y, x, count);
  CompareScalar(bits, y, kWhole, CMPMODE::LT, elementwise::WholeRepeats<float>(count));
  const LocalTensor<int32_t> whole = y.template ReinterpretCast<int32_t>();
  Cast(whole, x, kRound, count);
  Cast(y, whole, RoundMode::CAST_NONE, count);
  Select(y, bits, y, x, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
}

}  // namespace rounded

#endif  // ELEMENTWISE_UNARY_ROUNDED_H_
