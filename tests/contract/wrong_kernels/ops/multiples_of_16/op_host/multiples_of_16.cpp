#include "../../shared/scale_add_host.h"

IMPL_OP_OPTILING(MultiplesOf16).Tiling(optiling::TilingScaleAdd);
