// y = max(x, 0), element by element.
#include "unary.h"

UNARY_OP(relu_op, half) { Relu(y, x, count); }
