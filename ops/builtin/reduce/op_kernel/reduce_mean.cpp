// y = the mean.
#include "reduce.h"

REDUCE_OP(reduce_mean, kSum)
ELEMENT {}
FINISH { Muls(number, number, 1.0f / static_cast<float>(terms), count); }
