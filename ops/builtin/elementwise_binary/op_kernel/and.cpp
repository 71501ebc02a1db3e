// z = x and y, element by element: of halves that are 0 or 1.
#include "binary.h"

BINARY_OP(and_op, half) { Mul(z, x, y, count); }
