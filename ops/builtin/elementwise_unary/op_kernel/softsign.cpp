// y = x / (1 + |x|), element by element.
#include "unary.h"

UNARY_OP(softsign_op, float) {
  Abs(y, x, count);
  Adds(y, y, static_cast<C>(1), count);
  Div(y, x, y, count);
}
