// y = x rounded up, element by element.
#include "unary.h"

UNARY_OP(ceil_op, float) { Ceil(y, x, count); }
