// Floats of UB as 8-bit integers: rounded to the nearest whole number, halves to the even one, and
// saturated, as the page "Cast" says of CAST_RINT. No chip converts float to 8 bits in one call,
// and a way over half rounds twice: numbers are whole before they become half. The last conversion,
// half to 8 bits, is the caller's.
#ifndef OPS_SHARED_QUANTIZED_H_
#define OPS_SHARED_QUANTIZED_H_

#include "kernel_operator.h"

namespace quantized {

using namespace AscendC;

// x = its nearest whole number + offset, which is a whole number of 8 bits: what lies behind the
// point of x + 3 * 2^22 is rounded away. From 2^22 on x may become another number, which is as far
// beyond 8 bits.
__aicore__ inline void Round(const LocalTensor<float>& x, float offset, uint32_t count) {
  constexpr float kNoFraction = 12582912.0f;
  Adds(x, x, kNoFraction, count);
  Adds(x, x, offset - kNoFraction, count);
}
__aicore__ inline void Round(const LocalTensor<float>& x, uint32_t count) { Round(x, 0.0f, count); }

// y = whole numbers x. Half holds those up to 2048; the conversion to 8 bits saturates the others.
__aicore__ inline void Narrow(const LocalTensor<half>& y, const LocalTensor<float>& x,
                              uint32_t count) {
  Cast(y, x, RoundMode::CAST_NONE, count);
}

}  // namespace quantized

#endif  // OPS_SHARED_QUANTIZED_H_
