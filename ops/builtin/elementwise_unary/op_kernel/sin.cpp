// y = the sine of x, element by element.
#include "unary.h"

UNARY_OP(sin_op, float) { Sin(y, x, count); }
