// What the host's tiling function tells the kernel. An attribute of the epilogue gets a field here:
// TILING_DATA_FIELD_DEF(float, slope).
#ifndef @OP_UPPER@_TILING_H_
#define @OP_UPPER@_TILING_H_

#include "matmul_plan.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(@OP@TilingData)
TILING_DATA_FIELD_DEF_STRUCT(MatmulPlan, plan);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(@OP@, @OP@TilingData)
}  // namespace optiling

#endif  // @OP_UPPER@_TILING_H_
