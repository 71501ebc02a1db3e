// z = x > y, element by element.
#include "compare.h"

COMPARE_OP(greater_op, GT, whole::Order<true, false>)
