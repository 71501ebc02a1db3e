#include "../../shared/scale_add_host.h"

IMPL_OP_OPTILING(ReadsTooFar).Tiling(optiling::TilingScaleAdd);
