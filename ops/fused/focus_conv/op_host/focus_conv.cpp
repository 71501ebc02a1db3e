#include "../op_kernel/slice_pitch.h"
#include "conv_dense_plan.h"

// Plans the convolution of slices that slice_turner.h makes; false: this way is not open.
static bool PlanSlices(gert::TilingContext* context, ConvDenseTiling& t,
                       const conv_dense::Finish& finish) {
  const auto bytes =
      static_cast<uint32_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  ConvTiling sizes = conv_dense::TurnedSizes(t);
  sizes.height /= 2;
  sizes.width /= 2;
  const uint32_t pixels = conv::UpTo(sizes.width, 16), pitch = SlicePitch(2 * sizes.width, bytes);
  const uint32_t planes = conv::CeilDiv(sizes.channels, 32 / bytes);
  conv_dense::Turning turning;
  turning.row = pixels;
  turning.room = conv::Most(sizes.channels / 2 * pitch, planes * pixels * (32 / bytes));
  return conv_dense::PlanTurned(context, sizes, t, finish, turning);
}

static ge::graphStatus TilingFocusConv(gert::TilingContext* context) {
  constexpr uint64_t kScratch = sizeof(float);  // SiluAfter
  constexpr double kCycles = 0.2;
  constexpr uint32_t kStep = 2, kSlices = 4;
  auto& t = *context->GetTilingData<ConvDenseTiling>();
  t = {};
  conv_dense::Places places;
  places.dilations = places.group = -1;
  conv_dense::SetSizes(context, places, t);
  if (PlanSlices(context, t, {1, kScratch, kCycles})) return ge::GRAPH_SUCCESS;
  // Takes the windows of the slices as those of x.
  t.in_channels /= kSlices;
  for (uint32_t* size : {&t.window.window_height, &t.window.window_width, &t.window.stride_height,
                         &t.window.stride_width, &t.window.pad_top, &t.window.pad_left})
    *size *= kStep;
  return conv_dense::PlanSizes(context, t, {1, kScratch});
}

IMPL_OP_OPTILING(FocusConv).Tiling(TilingFocusConv);
