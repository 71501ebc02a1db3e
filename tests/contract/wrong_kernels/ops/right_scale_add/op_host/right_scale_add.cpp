#include "../../shared/scale_add_host.h"

IMPL_OP_OPTILING(RightScaleAdd).Tiling(optiling::TilingScaleAdd);
