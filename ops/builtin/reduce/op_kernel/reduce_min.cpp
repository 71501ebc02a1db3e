// y = the smallest: what is largest with the other sign.
#include "reduce.h"

REDUCE_ANY(reduce_min, kMax, Smallest)
ELEMENT { Muls(x, x, -1.0f, count); }
FINISH { Muls(number, number, -1.0f, count); }
