#include "elementwise_plan.h"

IMPL_OP_OPTILING(AddRelu).Tiling(elementwise::Tiling<>);
