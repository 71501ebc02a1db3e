// The largest element of every image.
#include "global.h"

GLOBAL_OP(global_max_pool, kMax) {}
