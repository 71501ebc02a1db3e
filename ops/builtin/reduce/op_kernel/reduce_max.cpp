// y = the largest.
#include "reduce.h"

REDUCE_EXTREME(reduce_max, true)
ELEMENT {}
FINISH {}
