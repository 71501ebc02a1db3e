// y = the sum of magnitudes.
#include "reduce.h"

REDUCE_OP(reduce_l1, kSum)
ELEMENT { Abs(x, x, count); }
FINISH {}
