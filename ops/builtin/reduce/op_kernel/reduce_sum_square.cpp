// y = the sum of squares.
#include "reduce.h"

REDUCE_OP(reduce_sum_square, kSum)
ELEMENT { Mul(x, x, x, count); }
FINISH {}
