// Floats of UB as 8-bit integers: rounded to the nearest whole number, halves to the even one, and
// saturated, as the page "Cast" says of CAST_RINT. No chip converts float to 8 bits in one call,
// and a way over half rounds twice: numbers are whole before they become half.
#ifndef OPS_SHARED_QUANTIZED_H_
#define OPS_SHARED_QUANTIZED_H_

#include "kernel_operator.h"

namespace quantized {

using namespace AscendC;

// The lowest and highest value of the integers.
template <typename T>
struct Ends;
template <>
struct Ends<int8_t> {
  static constexpr float kLowest = -128.0f, kHighest = 127.0f;
};
template <>
struct Ends<uint8_t> {
  static constexpr float kLowest = 0.0f, kHighest = 255.0f;
};

// x = its nearest whole number. What is beyond 1024 stays beyond every 8-bit integer, with a zero
// point of 8 bits added, too; below it, what lies behind the point of x + 3 * 2^22 is rounded away.
__aicore__ inline void Round(const LocalTensor<float>& x, uint32_t count) {
  constexpr float kFar = 1024.0f, kNoFraction = 12582912.0f;
  Mins(x, x, kFar, count);
  Maxs(x, x, -kFar, count);
  Adds(x, x, kNoFraction, count);
  Adds(x, x, -kNoFraction, count);
}

// y = whole numbers x, which half holds once they are within T.
template <typename T>
__aicore__ inline void Saturate(const LocalTensor<half>& y, const LocalTensor<float>& x,
                                uint32_t count) {
  Mins(x, x, Ends<T>::kHighest, count);
  Maxs(x, x, Ends<T>::kLowest, count);
  Cast(y, x, RoundMode::CAST_RINT, count);
}

}  // namespace quantized

#endif  // OPS_SHARED_QUANTIZED_H_
