// y = min(max(x, min), max), element by element.
#include "numbers.h"

NUMBERS_OP(clip_op) {
  Maxs(y, x, number[0], count);
  Mins(y, y, number[1], count);
}
