// y = x rounded to the nearest integer, halves to the even one, element by element.
#include "unary.h"

UNARY_OP(round_op, float) { Rint(y, x, count); }
