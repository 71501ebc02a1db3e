#include "norm_plan.h"

IMPL_OP_OPTILING(LayerNormGelu).Tiling(norm::Tiling<2, 1>);
