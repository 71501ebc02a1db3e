// y = the error function of x, element by element.
#include "by_hand.h"
#include "normal_tail.h"

UNARY_OP_BY_HAND(erf_op, 2 * sizeof(float))
BY_CALL { Erf(y, x, count); }
BY_HAND { normal::Erf(y, x, normal::PartOf(scratch, 2, 0), normal::PartOf(scratch, 2, 1), count); }
