// y = the error function of x, element by element.
#include "erf_quotient.h"
#include "unary.h"

UNARY_ENTRY(erf_op, ErfQuotient, float)
