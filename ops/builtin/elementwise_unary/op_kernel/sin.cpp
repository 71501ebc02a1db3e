// y = the sine of x, element by element.
#include "by_hand.h"
#include "wave.h"

using Wave = wave::Wave<wave::Kind::kSine, DTYPE_X>;

UNARY_OP_BY_HAND(sin_op, Wave::kParts * sizeof(float))
BY_CALL { Sin(y, x, count); }
BY_HAND { Wave(scratch, count)(y, x); }
