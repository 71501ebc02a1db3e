#ifndef ADD_CUSTOM_TILING_H
#define ADD_CUSTOM_TILING_H
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(SplitInfo)
TILING_DATA_FIELD_DEF(uint8_t, axis);
TILING_DATA_FIELD_DEF(uint64_t, stride);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(SplitInfoOp, SplitInfo)

BEGIN_TILING_DATA_DEF(AddCustomTilingData)
TILING_DATA_FIELD_DEF(uint32_t, totalLength);
TILING_DATA_FIELD_DEF(uint32_t, tileNum);
TILING_DATA_FIELD_DEF(uint8_t, flag);
TILING_DATA_FIELD_DEF(float, scale);
TILING_DATA_FIELD_DEF_ARR(int16_t, 3, tails);
TILING_DATA_FIELD_DEF_STRUCT(SplitInfo, split);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(AddCustom, AddCustomTilingData)
}  // namespace optiling
#endif
