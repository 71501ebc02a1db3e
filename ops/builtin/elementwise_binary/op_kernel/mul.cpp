// z = x * y, element by element.
#include "binary.h"

BINARY_OP(mul_op, half) { Mul(z, x, y, count); }
