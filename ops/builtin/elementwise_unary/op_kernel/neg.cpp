// y = -x, element by element.
#include "unary.h"

UNARY_OP(neg_op, half) { Muls(y, x, static_cast<C>(-1), count); }
