// y = not x, element by element: 1 - x of halves that are 0 or 1.
#include "unary.h"

UNARY_OP(not_op, half) {
  Muls(y, x, static_cast<C>(-1), count);
  Adds(y, y, static_cast<C>(1), count);
}
