// y = x, or alpha * (exp(x) - 1) where x is negative, element by element.
#include "numbers.h"

NUMBERS_OP(elu_op) {
  Mins(y, x, 0.0f, count);
  Exp(y, y, count);
  Adds(y, y, -1.0f, count);
  Muls(y, y, number[0], count);
  Maxs(x, x, 0.0f, count);
  Add(y, y, x, count);
}
