// z = min(x, y), element by element.
#include "binary.h"

BINARY_OP(minimum_op, half) { Min(z, x, y, count); }
