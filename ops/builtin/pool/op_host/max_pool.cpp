#include "window_lanes_plan.h"

static ge::graphStatus TilingMaxPool(gert::TilingContext* context) {
  auto* t = context->GetTilingData<WindowTiling>();
  *t = {};
  window::SetSizes(context, {}, *t);
  t->window_height = window::Attr(context, 0, 0);
  t->window_width = window::Attr(context, 0, 1);
  window::Needs needs;
  needs.pixel = 3 * sizeof(float);  // results, twice, and a tap
  return window::PlanLanes(context, t->planes, {}, needs, *t);
}

IMPL_OP_OPTILING(MaxPool).Tiling(TilingMaxPool);
