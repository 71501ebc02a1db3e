#include "../../shared/rows_host.h"

IMPL_OP_OPTILING(RightRowSum).Tiling(optiling::TilingRows);
