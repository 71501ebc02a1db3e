// What the host tells the kernel: the cut of the product, and the slope.
#ifndef OPS_FUSED_MATMUL_LEAKY_RELU_TILING_H_
#define OPS_FUSED_MATMUL_LEAKY_RELU_TILING_H_

#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MatmulLeakyReluTilingData)
TILING_DATA_FIELD_DEF(float, slope);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MatmulLeakyRelu, MatmulLeakyReluTilingData)
}  // namespace optiling

#endif  // OPS_FUSED_MATMUL_LEAKY_RELU_TILING_H_
