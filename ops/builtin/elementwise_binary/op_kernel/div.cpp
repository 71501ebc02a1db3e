// z = x / y, element by element.
#include "binary.h"

BINARY_OP(div_op, float) { Div(z, x, y, count); }
