// Blocks of pixels become blocks of channels.
#include "move.h"

MOVE_OP(space_to_depth)
