// y = where the largest element lies.
#include "search.h"

SEARCH_OP(arg_max_no_dim, true)
