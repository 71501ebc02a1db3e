// y = 1 / x, element by element.
#include "unary.h"

UNARY_OP(reciprocal_op, float) {
  Duplicate(y, static_cast<C>(1), count);
  Div(y, y, x, count);
}
