// y = the largest.
#include "reduce.h"

REDUCE_OP(reduce_max, kMax)
ELEMENT {}
FINISH {}
