// z = x - y * (x / y without its fraction), element by element.
#include "binary.h"
#include "remainder_of_floats.h"

BINARY_ENTRY(mod_op, modulo::Floats, float)
