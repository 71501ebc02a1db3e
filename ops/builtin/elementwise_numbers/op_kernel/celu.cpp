// y = max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0), element by element.
#include "numbers.h"

NUMBERS_OP(celu_op) {
  Mins(y, x, 0.0f, count);
  Muls(y, y, 1.0f / number[0], count);
  Exp(y, y, count);
  Adds(y, y, -1.0f, count);
  Muls(y, y, number[0], count);
  Maxs(x, x, 0.0f, count);
  Add(y, y, x, count);
}
