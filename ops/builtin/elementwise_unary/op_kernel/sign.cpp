// y = -1, 0 or 1, element by element; NaN stays NaN, which the call Sign makes 0.
#include "unary.h"

UNARY_OP(sign_op, float) {
  const auto steep = static_cast<C>(1e30f);  // twice: the smallest number lies beyond 1 then
  Muls(y, x, steep, count);
  Muls(y, y, steep, count);
  Maxs(y, y, static_cast<C>(-1), count);
  Mins(y, y, static_cast<C>(1), count);
}
