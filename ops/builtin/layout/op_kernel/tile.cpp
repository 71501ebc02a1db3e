// y is x, repeated along its dims.
#include "move.h"

MOVE_OP(tile)
