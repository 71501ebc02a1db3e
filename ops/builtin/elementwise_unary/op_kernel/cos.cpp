// y = the cosine of x, element by element.
#include "unary.h"

UNARY_OP(cos_op, float) { Cos(y, x, count); }
