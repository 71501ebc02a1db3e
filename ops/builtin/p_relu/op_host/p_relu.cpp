#include "elementwise_plan.h"

IMPL_OP_OPTILING(PRelu).Tiling(elementwise::Tiling<1>);
