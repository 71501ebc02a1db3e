// z = x - y * (x / y rounded down), element by element, of integers.
#include "binary.h"
#include "remainder_of_wholes.h"

BINARY_ENTRY(floor_mod_op, modulo::Wholes<&modulo::OfWholes::WithDivisor>,
             modulo::ComputedWhole<DTYPE_X>)
