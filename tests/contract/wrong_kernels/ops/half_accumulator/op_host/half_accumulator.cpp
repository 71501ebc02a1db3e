#include "../../shared/rows_host.h"

IMPL_OP_OPTILING(HalfAccumulator).Tiling(optiling::TilingRows);
