// y = x as uint8.
#include "cast.h"

CAST_OP(cast_to_uint8)
