// y = x as int8.
#include "cast.h"

CAST_OP(cast_to_int8)
