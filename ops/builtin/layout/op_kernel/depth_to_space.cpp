// Blocks of channels become blocks of pixels.
#include "move.h"

MOVE_OP(depth_to_space)
