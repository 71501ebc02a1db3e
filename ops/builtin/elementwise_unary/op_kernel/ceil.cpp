// y = x rounded up, element by element.
#include "by_hand.h"
#include "rounded.h"

UNARY_OP_BY_HAND(ceil_op, 1)
BY_CALL { Ceil(y, x, count); }
BY_HAND { rounded::Round<RoundMode::CAST_CEIL>(y, x, scratch, count); }
