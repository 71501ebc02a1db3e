// y = the sum.
#include "reduce.h"

REDUCE_ANY(reduce_sum, kSum, Total)
ELEMENT {}
FINISH {}
