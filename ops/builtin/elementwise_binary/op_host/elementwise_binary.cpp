#include "elementwise_plan.h"

using elementwise::Tiling;

IMPL_OP_OPTILING(Add).Tiling(Tiling<>);
IMPL_OP_OPTILING(Sub).Tiling(Tiling<>);
IMPL_OP_OPTILING(Mul).Tiling(Tiling<>);
IMPL_OP_OPTILING(Div).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Pow).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Maximum).Tiling(Tiling<>);
IMPL_OP_OPTILING(Minimum).Tiling(Tiling<>);
IMPL_OP_OPTILING(And).Tiling(Tiling<>);
IMPL_OP_OPTILING(Or).Tiling(Tiling<>);
IMPL_OP_OPTILING(Xor).Tiling(Tiling<>);
