#include "elementwise_plan.h"

IMPL_OP_OPTILING(Where).Tiling(elementwise::Tiling<1>);
