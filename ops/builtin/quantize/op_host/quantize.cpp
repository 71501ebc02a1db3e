#include "elementwise_plan.h"

using elementwise::Tiling;

IMPL_OP_OPTILING(QuantizeLinear).Tiling(Tiling<4>);
IMPL_OP_OPTILING(DequantizeLinear).Tiling(Tiling<>);
