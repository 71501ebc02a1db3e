#ifndef OPS_BUILTIN_GEMM_TILING_H_
#define OPS_BUILTIN_GEMM_TILING_H_

#include "matmul_plan.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(GemmTilingData)
TILING_DATA_FIELD_DEF_STRUCT(MatmulPlan, plan);
TILING_DATA_FIELD_DEF(float, alpha);
TILING_DATA_FIELD_DEF(float, beta);
TILING_DATA_FIELD_DEF(uint32_t, has_c);
TILING_DATA_FIELD_DEF(uint32_t, reserved);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Gemm, GemmTilingData)
}  // namespace optiling

#endif  // OPS_BUILTIN_GEMM_TILING_H_
