#ifndef OPS_FUSED_MATMUL_LEAKY_RELU_TILING_H_
#define OPS_FUSED_MATMUL_LEAKY_RELU_TILING_H_

#include "matmul_plan.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MatmulLeakyReluTilingData)
TILING_DATA_FIELD_DEF_STRUCT(MatmulPlan, plan);
TILING_DATA_FIELD_DEF(float, slope);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MatmulLeakyRelu, MatmulLeakyReluTilingData)
}  // namespace optiling

#endif  // OPS_FUSED_MATMUL_LEAKY_RELU_TILING_H_
