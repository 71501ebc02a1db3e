// y = the cosine of x, element by element.
#include "by_hand.h"
#include "wave.h"

using Wave = wave::Wave<wave::Kind::kCosine, DTYPE_X>;

UNARY_OP_BY_HAND(cos_op, Wave::kParts * sizeof(float))
BY_CALL { Cos(y, x, count); }
BY_HAND { Wave(scratch, count)(y, x); }
