// y = x as float32.
#include "cast.h"

CAST_OP(cast_to_float32)
