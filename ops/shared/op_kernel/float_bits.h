// Floats of UB as bits, and memory of a formula's own as several tensors of floats.
#ifndef OPS_SHARED_FLOAT_BITS_H_
#define OPS_SHARED_FLOAT_BITS_H_

#include "kernel_operator.h"

namespace float_bits {

using namespace AscendC;

constexpr int32_t kFraction = 23;  // bits
constexpr int32_t kBias = 127;     // is added to the exponents of floats

__aicore__ inline LocalTensor<int32_t> Bits(const LocalTensor<float>& x) {
  return x.ReinterpretCast<int32_t>();
}

// y = the whole number nearest to x, which lies within those of int32_t, else at their end.
__aicore__ inline void Round(const LocalTensor<float>& y, const LocalTensor<float>& x,
                             uint32_t count) {
  Cast(Bits(y), x, RoundMode::CAST_RINT, count);
  Cast(y, Bits(y), RoundMode::CAST_NONE, count);
}

// x = 2^x for whole x from -126 to 127.
__aicore__ inline void PowerOfTwo(const LocalTensor<float>& x, uint32_t count) {
  Cast(Bits(x), x, RoundMode::CAST_RINT, count);
  Adds(Bits(x), Bits(x), kBias, count);
  ShiftLeft(Bits(x), Bits(x), kFraction, count);
}

// Equal parts of a formula's scratch.
class Parts {
 public:
  __aicore__ inline Parts(const LocalTensor<uint8_t>& scratch, uint32_t parts)
      : floats_(scratch.ReinterpretCast<float>()), each_(floats_.GetSize() / parts) {}

  __aicore__ inline LocalTensor<float> operator[](uint32_t index) const {
    return floats_[index * each_];
  }

 private:
  LocalTensor<float> floats_;
  uint32_t each_;
};

}  // namespace float_bits

#endif  // OPS_SHARED_FLOAT_BITS_H_
