// y = x as int32.
#include "cast.h"

CAST_OP(cast_to_int32)
