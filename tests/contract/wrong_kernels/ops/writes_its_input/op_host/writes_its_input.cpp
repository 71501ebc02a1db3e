#include "../../shared/scale_add_host.h"

IMPL_OP_OPTILING(WritesItsInput).Tiling(optiling::TilingScaleAdd);
