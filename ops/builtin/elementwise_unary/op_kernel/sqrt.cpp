// y = the square root of x, element by element.
#include "unary.h"

UNARY_OP(sqrt_op, float) { Sqrt(y, x, count); }
