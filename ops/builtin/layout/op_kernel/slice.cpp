// y has every step-th element of x between two places along dims.
#include "move.h"

MOVE_OP(slice)
