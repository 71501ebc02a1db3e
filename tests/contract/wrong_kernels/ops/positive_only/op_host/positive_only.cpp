#include "../../shared/scale_add_host.h"

IMPL_OP_OPTILING(PositiveOnly).Tiling(optiling::TilingScaleAdd);
