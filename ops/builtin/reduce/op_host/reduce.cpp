#include "reduce_plan.h"

IMPL_OP_OPTILING(ReduceSum).Tiling(TilingReduce<>);
IMPL_OP_OPTILING(ReduceMean).Tiling(TilingReduce<>);
IMPL_OP_OPTILING(ReduceMax).Tiling(TilingReduce<>);
IMPL_OP_OPTILING(ReduceMin).Tiling(TilingReduce<>);
IMPL_OP_OPTILING(ReduceSumSquare).Tiling(TilingReduce<>);
IMPL_OP_OPTILING(ReduceL1).Tiling(TilingReduce<>);
IMPL_OP_OPTILING(ReduceL2).Tiling(TilingReduce<>);
IMPL_OP_OPTILING(ReduceProd).Tiling(TilingReduce<9>);
