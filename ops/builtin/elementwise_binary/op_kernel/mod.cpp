// z = x - y * (x / y without its fraction), element by element.
#include "binary.h"
#include "remainder_of_floats.h"
#include "remainder_of_halves.h"

using Remainder =
    Std::conditional<IsSameType<DTYPE_X, half>::value, modulo::Halves, modulo::Floats>::type;

BINARY_ENTRY(mod_op, Remainder, float)
