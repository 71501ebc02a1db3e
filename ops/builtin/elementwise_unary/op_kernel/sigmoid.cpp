// y = 1 / (1 + exp(-x)), element by element.
#include "unary.h"

UNARY_OP(sigmoid_op, float) {
  Muls(x, x, static_cast<C>(-1), count);
  Exp(x, x, count);
  Adds(x, x, static_cast<C>(1), count);
  Duplicate(y, static_cast<C>(1), count);
  Div(y, y, x, count);
}
