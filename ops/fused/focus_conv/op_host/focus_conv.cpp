#include "conv_dense_plan.h"

static ge::graphStatus TilingFocusConv(gert::TilingContext* context) {
  constexpr uint64_t kScratch = 2 * sizeof(float);  // SiluAfter
  constexpr uint32_t kStep = 2, kSlices = 4;
  auto& t = *context->GetTilingData<ConvDenseTiling>();
  t = {};
  conv_dense::Places places;
  places.dilations = places.group = -1;
  conv_dense::SetSizes(context, places, t);
  // The windows of the slices as those of x.
  t.in_channels /= kSlices;
  for (uint32_t* size : {&t.window.window_height, &t.window.window_width, &t.window.stride_height,
                         &t.window.stride_width, &t.window.pad_top, &t.window.pad_left})
    *size *= kStep;
  return conv_dense::PlanSizes(context, t, {1, kScratch});
}

IMPL_OP_OPTILING(FocusConv).Tiling(TilingFocusConv);
