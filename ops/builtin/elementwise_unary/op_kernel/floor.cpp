// y = x rounded down, element by element.
#include "by_hand.h"
#include "rounded.h"

UNARY_OP_BY_HAND(floor_op, 1)
BY_CALL { Floor(y, x, count); }
BY_HAND { rounded::Round<RoundMode::CAST_FLOOR>(y, x, scratch, count); }
