// z = x + y, element by element.
#include "binary.h"

BINARY_OP(add_op, half) { Add(z, x, y, count); }
