// y = the root of the sum of squares.
#include "reduce.h"

REDUCE_OP(reduce_l2, kSum)
ELEMENT { Mul(x, x, x, count); }
FINISH { Sqrt(number, number, count); }
