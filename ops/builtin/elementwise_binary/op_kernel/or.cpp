// z = x or y, element by element: of halves that are 0 or 1.
#include "binary.h"

BINARY_OP(or_op, half) { Max(z, x, y, count); }
