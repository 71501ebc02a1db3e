// y = x nearer to 0 by bias, or 0 where |x| is at most lambd, element by element; NaN stays.
#include "numbers.h"

struct Nearer {
  static constexpr uint32_t kScratch = 1;  // two bits are enough
  const float* number;
  __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                    const LocalTensor<uint8_t>& bits, uint32_t count) const {
    const float bias = number[0], lambda = number[1];
    const LocalTensor<uint8_t> small = bits[bits.GetSize() / 2];
    const uint32_t whole_repeats = elementwise::WholeRepeats<float>(count);
    Abs(y, x, count);
    CompareScalar(small, y, lambda, CMPMODE::LE, whole_repeats);
    CompareScalar(bits, x, 0.0f, CMPMODE::LT, whole_repeats);
    Adds(y, x, bias, count);
    Adds(x, x, -bias, count);
    Select(y, bits, y, x, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
    Duplicate(x, 0.0f, count);
    Select(y, small, x, y, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
  }
};

NUMBERS_ENTRY(shrink_op, Nearer)
