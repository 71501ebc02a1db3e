// y = x rounded to the nearest integer, halves to the even one, element by element.
#include "by_hand.h"
#include "rounded.h"

UNARY_OP_BY_HAND(round_op, 1)
BY_CALL { Rint(y, x, count); }
BY_HAND { rounded::Round<RoundMode::CAST_RINT>(y, x, scratch, count); }
