#include "elementwise_plan.h"

IMPL_OP_OPTILING(Add).Tiling(elementwise::Tiling<>);
