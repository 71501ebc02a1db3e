#include "elementwise_plan.h"

using elementwise::Tiling;

IMPL_OP_OPTILING(Equal).Tiling(Tiling<1, true>);
IMPL_OP_OPTILING(Greater).Tiling(Tiling<1, true>);
IMPL_OP_OPTILING(GreaterOrEqual).Tiling(Tiling<1, true>);
IMPL_OP_OPTILING(Less).Tiling(Tiling<1, true>);
IMPL_OP_OPTILING(LessOrEqual).Tiling(Tiling<1, true>);
