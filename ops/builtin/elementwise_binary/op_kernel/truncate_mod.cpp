// z = x - y * (x / y without its fraction), element by element, of integers.
#include "binary.h"
#include "remainder_of_wholes.h"

BINARY_ENTRY(truncate_mod_op, modulo::Wholes<&modulo::OfWholes::WithDividend>,
             modulo::ComputedWhole<DTYPE_X>)
