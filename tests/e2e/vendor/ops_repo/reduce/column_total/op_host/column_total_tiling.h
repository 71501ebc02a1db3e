#ifndef COLUMN_TOTAL_TILING_H
#define COLUMN_TOTAL_TILING_H
#include "column_total_sizes.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ColumnTotalTilingData)
TILING_DATA_FIELD_DEF(uint32_t, offset);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ColumnTotal, ColumnTotalTilingData)

BEGIN_TILING_DATA_DEF(ColumnTotalTwiceTilingData)
// TILING_DATA_FIELD_DEF(uint64_t, no_longer_here);
TILING_DATA_FIELD_DEF_ARR(uint32_t, kColumnTotalPads + 1, pads);
#ifdef COLUMN_TOTAL_OLD
TILING_DATA_FIELD_DEF(uint32_t, old);
#endif
TILING_DATA_FIELD_DEF(uint32_t, offset);
TILING_DATA_FIELD_DEF(uint64_t, twice_only);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ColumnTotal_20, ColumnTotalTwiceTilingData)
}  // namespace optiling
#endif
