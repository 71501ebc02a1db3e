// y = log(1 + exp(x)), element by element.
#include "unary.h"

UNARY_OP(softplus_op, float) {
  Abs(y, x, count);
  Muls(y, y, static_cast<C>(-1), count);
  Exp(y, y, count);
  Adds(y, y, static_cast<C>(1), count);
  Ln(y, y, count);
  Relu(x, x, count);
  Add(y, y, x, count);
}
