// y = the sum.
#include "reduce.h"

REDUCE_OP(reduce_sum, kSum)
ELEMENT {}
FINISH {}
