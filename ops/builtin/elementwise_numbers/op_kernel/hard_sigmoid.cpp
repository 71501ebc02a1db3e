// y = min(max(alpha * x + beta, 0), 1), element by element.
#include "numbers.h"

NUMBERS_OP(hard_sigmoid_op) {
  Muls(y, x, number[0], count);
  Adds(y, y, number[1], count);
  Maxs(y, y, 0.0f, count);
  Mins(y, y, 1.0f, count);
}
