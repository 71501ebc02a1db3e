// y = where the smallest element lies.
#include "search.h"

SEARCH_OP(arg_min_no_dim, false)
