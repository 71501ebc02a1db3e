// y = |x|, element by element.
#include "unary.h"

UNARY_OP(abs_op, half) { Abs(y, x, count); }
