#include "search_plan.h"

IMPL_OP_OPTILING(ArgMax).Tiling(TilingSearch);
IMPL_OP_OPTILING(ArgMin).Tiling(TilingSearch);
IMPL_OP_OPTILING(ArgMaxNoDim).Tiling(TilingSearch);
IMPL_OP_OPTILING(ArgMinNoDim).Tiling(TilingSearch);
