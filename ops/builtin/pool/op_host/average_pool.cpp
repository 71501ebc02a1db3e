#include "../op_kernel/average_pool_tiling.h"
#include "window_lanes_plan.h"

static ge::graphStatus TilingAveragePool(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<AveragePoolTilingData>();
  *tiling = {};
  WindowTiling& t = tiling->window;
  tiling->all = *context->GetAttrs()->GetInt(3) != 0 ? 1 : 0;
  window::SetSizes(context, {1, 2, -1}, t);
  t.window_height = window::Attr(context, 0, 0);
  t.window_width = window::Attr(context, 0, 1);
  window::Needs needs;
  needs.slabs = 3;                  // one of ones
  needs.pixel = 6 * sizeof(float);  // results, twice, a tap, both in float, and a count
  window::LaneNeeds lanes;
  lanes.widens = context->GetInputDesc(0)->GetDataType() != ge::DT_FLOAT;
  lanes.pixel = sizeof(float);  // divisors
  return window::PlanLanes(context, t.planes, lanes, needs, t);
}

IMPL_OP_OPTILING(AveragePool).Tiling(TilingAveragePool);
