// y = x * min(max(x / 6 + 0.5, 0), 1), element by element.
#include "unary.h"

UNARY_OP(hard_swish_op, float) {
  Adds(y, x, static_cast<C>(3), count);
  Maxs(y, y, static_cast<C>(0), count);
  Mins(y, y, static_cast<C>(6), count);
  Muls(y, y, static_cast<C>(1.0f / 6.0f), count);
  Mul(y, y, x, count);
}
