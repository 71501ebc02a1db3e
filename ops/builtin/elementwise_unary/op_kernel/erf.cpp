// y = the error function of x, element by element.
#include "unary.h"

UNARY_OP(erf_op, float) { Erf(y, x, count); }
