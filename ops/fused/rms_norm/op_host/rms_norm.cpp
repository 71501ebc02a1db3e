#include "norm_plan.h"

IMPL_OP_OPTILING(RmsNorm).Tiling(norm::Tiling<1, 1>);
