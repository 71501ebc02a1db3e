// y = x where x is above alpha, else 0, element by element; NaN stays.
#include "numbers.h"

struct Threshold {
  static constexpr uint32_t kScratch = 1;  // a bit is enough
  const float* number;
  __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                    const LocalTensor<uint8_t>& bits, uint32_t count) const {
    CompareScalar(bits, x, number[0], CMPMODE::LE, elementwise::WholeRepeats<float>(count));
    Duplicate(y, 0.0f, count);
    Select(y, bits, y, x, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
  }
};

NUMBERS_ENTRY(thresholded_relu_op, Threshold)
