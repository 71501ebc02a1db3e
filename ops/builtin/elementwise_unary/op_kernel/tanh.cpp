// y = the hyperbolic tangent of x, element by element.
#include "unary.h"

UNARY_OP(tanh_op, float) { Tanh(y, x, count); }
