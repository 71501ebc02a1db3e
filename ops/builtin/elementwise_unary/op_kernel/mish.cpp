// y = x * tanh(log(1 + exp(x))), element by element. With h = exp(x) / 2 and q = h * h + h the tanh
// is q / (q + 1/2): nothing cancels. From x = 20 on it is 1 in float32.
#include "unary.h"

UNARY_OP(mish_op, float) {
  Mins(y, x, static_cast<C>(20), count);
  Exp(y, y, count);
  Muls(y, y, static_cast<C>(0.5), count);
  MulAddDst(y, y, y, count);
  Reciprocal(y, y, count);
  Muls(y, y, static_cast<C>(0.5), count);
  Adds(y, y, static_cast<C>(1), count);
  Div(y, x, y, count);
}
