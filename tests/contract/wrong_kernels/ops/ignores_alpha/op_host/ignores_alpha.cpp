#include "../../shared/scale_add_host.h"

IMPL_OP_OPTILING(IgnoresAlpha).Tiling(optiling::TilingScaleAdd);
