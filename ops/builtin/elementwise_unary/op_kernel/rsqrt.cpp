// y = 1 / the square root of x, element by element.
#include "unary.h"

UNARY_OP(rsqrt_op, float) {
  Sqrt(x, x, count);
  Duplicate(y, static_cast<C>(1), count);
  Div(y, y, x, count);
}
