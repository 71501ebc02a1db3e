#include "elementwise_plan.h"

using elementwise::Tiling;

IMPL_OP_OPTILING(CastToFloat16).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(CastToFloat32).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(CastToBfloat16).Tiling(Tiling<0, true>);
