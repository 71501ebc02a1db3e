#include "norm_plan.h"

IMPL_OP_OPTILING(AddRmsNorm).Tiling(norm::Tiling<1, 2>);
