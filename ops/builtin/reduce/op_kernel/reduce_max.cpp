// y = the largest.
#include "reduce.h"

REDUCE_ANY(reduce_max, kMax, Largest)
ELEMENT {}
FINISH {}
