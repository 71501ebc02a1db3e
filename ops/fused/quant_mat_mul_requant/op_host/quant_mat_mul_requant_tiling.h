#ifndef OPS_FUSED_QUANT_MAT_MUL_REQUANT_TILING_H_
#define OPS_FUSED_QUANT_MAT_MUL_REQUANT_TILING_H_

#include "matmul_plan.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(QuantMatMulRequantTilingData)
TILING_DATA_FIELD_DEF_STRUCT(MatmulPlan, plan);
TILING_DATA_FIELD_DEF(uint32_t, which);
TILING_DATA_FIELD_DEF(uint32_t, one_scale);
TILING_DATA_FIELD_DEF(uint32_t, has_factor);
TILING_DATA_FIELD_DEF(uint32_t, reserved);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(QuantMatMulRequant, QuantMatMulRequantTilingData)
}  // namespace optiling

#endif  // OPS_FUSED_QUANT_MAT_MUL_REQUANT_TILING_H_
