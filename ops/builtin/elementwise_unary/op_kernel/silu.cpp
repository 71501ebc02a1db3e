// y = x / (1 + exp(-x)), element by element.
#include "unary.h"

UNARY_OP(silu_op, float) {
  Muls(y, x, static_cast<C>(-1), count);
  Exp(y, y, count);
  Adds(y, y, static_cast<C>(1), count);
  Div(y, x, y, count);
}
