#include "elementwise_plan.h"

IMPL_OP_OPTILING(Relu).Tiling(elementwise::Tiling<>);
