#include "elementwise_plan.h"

using elementwise::Tiling;

IMPL_OP_OPTILING(Abs).Tiling(Tiling<>);
IMPL_OP_OPTILING(Neg).Tiling(Tiling<>);
IMPL_OP_OPTILING(Relu).Tiling(Tiling<>);
IMPL_OP_OPTILING(Exp).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Log).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Sqrt).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Reciprocal).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Rsqrt).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Sigmoid).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Silu).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Tanh).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Erf).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Gelu).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(GeluTanh).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Floor).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Ceil).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Round).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Sin).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Cos).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Sign).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Softplus).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(HardSwish).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Mish).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Softsign).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Not).Tiling(Tiling<>);
