#include "../../shared/rows_host.h"

IMPL_OP_OPTILING(RightRowBias).Tiling(optiling::TilingRows);
