// y = x as float16.
#include "cast.h"

CAST_OP(cast_to_float16)
