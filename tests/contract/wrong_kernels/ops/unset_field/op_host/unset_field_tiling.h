// Tiling data of UnsetField as a class, whose fields are known by name.
#ifndef WRONG_KERNELS_UNSET_FIELD_TILING_H_
#define WRONG_KERNELS_UNSET_FIELD_TILING_H_

#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(UnsetFieldTilingData)
TILING_DATA_FIELD_DEF(uint64_t, total);
TILING_DATA_FIELD_DEF(uint64_t, per_core);
TILING_DATA_FIELD_DEF(uint32_t, tile);
TILING_DATA_FIELD_DEF(float, alpha);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(UnsetField, UnsetFieldTilingData)

}  // namespace optiling

#endif  // WRONG_KERNELS_UNSET_FIELD_TILING_H_
