// y = x / 2 * (1 + erf(x / sqrt(2))), element by element.
#include "unary.h"

UNARY_OP(gelu_op, float) {
  constexpr float kRootOfHalf = 0.70710678f;
  Muls(y, x, static_cast<C>(kRootOfHalf), count);
  Muls(x, x, static_cast<C>(0.5f), count);
  Erf(y, y, count);
  Adds(y, y, static_cast<C>(1), count);
  Mul(y, y, x, count);
}
