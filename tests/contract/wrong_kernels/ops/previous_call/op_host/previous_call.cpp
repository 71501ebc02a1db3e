#include "../../shared/scale_add_host.h"

namespace optiling {

static ge::graphStatus TilingPreviousCall(gert::TilingContext* context) {
  static float last = 1.0f;
  const ge::graphStatus status = TilingScaleAdd(context);
  auto* tiling = context->GetTilingData<ScaleAddTilingData>();
  const float now = tiling->alpha;
  tiling->alpha = last;
  last = now;
  return status;
}

}  // namespace optiling

IMPL_OP_OPTILING(PreviousCall).Tiling(optiling::TilingPreviousCall);
