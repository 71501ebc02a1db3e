// z = x < y, element by element.
#include "compare.h"

COMPARE_OP(less_op, LT, whole::Order<false, false>)
