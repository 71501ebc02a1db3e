// y = x as bfloat16.
#include "cast.h"

CAST_OP(cast_to_bfloat16)
