// z = x == y, element by element.
#include "compare.h"

COMPARE_OP(equal_op, EQ, whole::Same)
