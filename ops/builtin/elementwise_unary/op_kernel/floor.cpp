// y = x rounded down, element by element.
#include "unary.h"

UNARY_OP(floor_op, float) { Floor(y, x, count); }
