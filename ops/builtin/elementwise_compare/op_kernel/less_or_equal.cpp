// z = x <= y, element by element.
#include "compare.h"

COMPARE_OP(less_or_equal_op, LE, whole::Order<true, true>)
