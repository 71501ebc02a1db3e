#include "norm_plan.h"

IMPL_OP_OPTILING(AddLayerNorm).Tiling(norm::Tiling<2, 2>);
