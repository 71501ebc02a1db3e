#ifndef OPS_BUILTIN_GEMM_SCALED_TILING_H_
#define OPS_BUILTIN_GEMM_SCALED_TILING_H_

#include "matmul_plan.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(GemmScaledTilingData)
TILING_DATA_FIELD_DEF_STRUCT(MatmulPlan, plan);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(GEMM, GemmScaledTilingData)
}  // namespace optiling

#endif  // OPS_BUILTIN_GEMM_SCALED_TILING_H_
