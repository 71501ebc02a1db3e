#include "norm_plan.h"

IMPL_OP_OPTILING(LayerNormalization).Tiling(norm::Tiling<2, 1>);
