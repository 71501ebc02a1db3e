// y = e to the power of x, element by element.
#include "unary.h"

UNARY_OP(exp_op, float) { Exp(y, x, count); }
