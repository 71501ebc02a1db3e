#ifndef MATMUL_LEAKY_TILING_H
#define MATMUL_LEAKY_TILING_H
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(MatmulLeakyTilingData)
TILING_DATA_FIELD_DEF(float, slope);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MatmulLeaky, MatmulLeakyTilingData)
}  // namespace optiling
#endif
