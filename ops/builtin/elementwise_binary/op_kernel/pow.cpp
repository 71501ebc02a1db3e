// z = x to the power of y, element by element.
#include "binary.h"

BINARY_OP(pow_op, float) { Power(z, x, y, count); }
