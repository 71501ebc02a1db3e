// y has the dims of x in another order.
#include "move.h"

MOVE_OP(transpose)
