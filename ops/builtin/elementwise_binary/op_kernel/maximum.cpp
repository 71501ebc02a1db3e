// z = max(x, y), element by element.
#include "binary.h"

BINARY_OP(maximum_op, half) { Max(z, x, y, count); }
