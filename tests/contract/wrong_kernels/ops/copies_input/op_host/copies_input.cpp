#include "../../shared/scale_add_host.h"

IMPL_OP_OPTILING(CopiesInput).Tiling(optiling::TilingScaleAdd);
