// y = x as int64.
#include "cast.h"

CAST_OP(cast_to_int64)
