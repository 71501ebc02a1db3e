// z = x >= y, element by element.
#include "compare.h"

COMPARE_OP(greater_or_equal_op, GE, whole::Order<false, true>)
