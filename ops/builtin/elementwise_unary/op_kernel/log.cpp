// y = the natural logarithm of x, element by element.
#include "unary.h"

UNARY_OP(log_op, float) { Ln(y, x, count); }
