// y = -1, 0 or 1, element by element.
#include "unary.h"

UNARY_OP(sign_op, float) { Sign(y, x, count); }
