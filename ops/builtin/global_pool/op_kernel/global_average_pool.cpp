// The mean of every image.
#include "global.h"

GLOBAL_OP(global_average_pool, kSum) {
  const LocalTensor<float> divisor = unit.Number(kNumbers);
  Duplicate(divisor, static_cast<float>(columns), count);
  Div(number, number, divisor, count);
}
