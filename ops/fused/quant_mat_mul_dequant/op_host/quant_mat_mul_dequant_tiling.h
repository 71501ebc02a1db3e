#ifndef OPS_FUSED_QUANT_MAT_MUL_DEQUANT_TILING_H_
#define OPS_FUSED_QUANT_MAT_MUL_DEQUANT_TILING_H_

#include "matmul_plan.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(QuantMatMulDequantTilingData)
TILING_DATA_FIELD_DEF_STRUCT(MatmulPlan, plan);
TILING_DATA_FIELD_DEF(uint32_t, which);
TILING_DATA_FIELD_DEF(uint32_t, one_scale);
TILING_DATA_FIELD_DEF(uint32_t, has_tokens);
TILING_DATA_FIELD_DEF(uint32_t, reserved);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(QuantMatMulDequant, QuantMatMulDequantTilingData)
}  // namespace optiling

#endif  // OPS_FUSED_QUANT_MAT_MUL_DEQUANT_TILING_H_
