// y = x as bool.
#include "cast.h"

CAST_OP(cast_to_bool)
