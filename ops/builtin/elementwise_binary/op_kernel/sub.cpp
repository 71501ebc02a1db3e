// z = x - y, element by element.
#include "binary.h"

BINARY_OP(sub_op, half) { Sub(z, x, y, count); }
