#ifndef OPS_FUSED_LINEAR_ADD_GELU_TILING_H_
#define OPS_FUSED_LINEAR_ADD_GELU_TILING_H_

#include "matmul_plan.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(LinearAddGeluTilingData)
TILING_DATA_FIELD_DEF_STRUCT(MatmulPlan, plan);
TILING_DATA_FIELD_DEF(uint32_t, by_tanh);
TILING_DATA_FIELD_DEF(uint32_t, reserved);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(LinearAddGelu, LinearAddGeluTilingData)
}  // namespace optiling

#endif  // OPS_FUSED_LINEAR_ADD_GELU_TILING_H_
