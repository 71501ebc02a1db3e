#include "../../shared/rows_host.h"

IMPL_OP_OPTILING(WrongAxis).Tiling(optiling::TilingRows);
