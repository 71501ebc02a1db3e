// z = x xor y, element by element: of halves that are 0 or 1.
#include "binary.h"

BINARY_OP(xor_op, half) {
  Sub(z, x, y, count);
  Abs(z, z, count);
}
