#include "../op_kernel/c3_bottleneck_tiling.h"
#include "conv_dense_plan.h"

constexpr uint64_t kFloat = sizeof(float);
// Bytes that the finishes take for an element: SiLU; two blocks of x, or one and that in float.
constexpr uint64_t kSiluScratch = kFloat, kShortcutScratch = kSiluScratch + 2 * kFloat;
constexpr double kSiluCycles = 0.2;  // is what an element takes
// Places of the contract's inputs.
constexpr size_t kX = 0, kNarrowW = 1, kW = 3;

// A convolution of images of x's size that keeps it.
static void SetSizes(gert::TilingContext* context, size_t w_place, ConvDenseTiling& t) {
  const gert::Shape& x = context->GetInputShape(kX)->GetStorageShape();
  const gert::Shape& w = context->GetInputShape(w_place)->GetStorageShape();
  WindowTiling& window = t.window;
  window.height = window.out_height = static_cast<uint32_t>(x.GetDim(2));
  window.width = window.out_width = static_cast<uint32_t>(x.GetDim(3));
  window.window_height = static_cast<uint32_t>(w.GetDim(2));
  window.window_width = static_cast<uint32_t>(w.GetDim(3));
  window.stride_height = window.stride_width = 1;
  window.dilation_height = window.dilation_width = 1;
  t.images = static_cast<uint64_t>(x.GetDim(0));
  t.groups = 1;
  t.in_channels = static_cast<uint32_t>(w.GetDim(1));
  t.out_channels = static_cast<uint32_t>(w.GetDim(0));
  t.k = t.in_channels * window.window_height * window.window_width;
  t.image_pixels = uint64_t{window.height} * window.width;
  t.has_bias = 1;
}

// Plans both convolutions for the cube unit's formats; false: this way is not open.
static bool PlanTurned(gert::TilingContext* context, C3BottleneckTiling& t) {
  const conv_dense::Finish silu{1, kSiluScratch, kSiluCycles},
      shortcut{1, kShortcutScratch, kSiluCycles};
  ConvTurnedTiling &first = t.narrow.turned, &second = t.wide.turned;
  conv_dense::TurnedPlanner narrow(context, t.narrow), wide(context, t.wide);
  ConvTiling sizes = conv_dense::TurnedSizes(t.narrow);
  sizes.has_bias = 1;
  if (!narrow.Begin(sizes) || !wide.Begin(conv_dense::TurnedSizes(t.wide)) || wide.PrefersWindows())
    return false;
  const uint64_t turned = narrow.ImageBytes() + narrow.FilterBytes() + wide.FilterBytes();
  const uint32_t blocks =
      conv::Choose(narrow.GetChip(), {narrow.GetWork(silu), wide.GetWork(shortcut)},
                   {narrow.Tiles(), wide.Tiles()}, conv_dense::TurnCycles(turned));
  if (blocks == 0 || !narrow.End(blocks, silu) || !wide.End(blocks, shortcut)) return false;
  wide.SetRounds();
  first.room = conv::Most(first.room, second.room);
  first.row = conv::Most(first.row, second.row);
  const uint64_t of_narrow = narrow.SlotBytes(blocks), of_wide = wide.SlotBytes(blocks);
  first.image_at = conv_dense::Most(of_narrow, of_wide);
  // Behind an image come its filters: less than a fractal is read with what is behind it.
  first.filters_at = first.image_at + conv::LineUp(narrow.ImageBytes());
  second.image_at = first.filters_at + conv::LineUp(narrow.FilterBytes());
  second.filters_at = second.image_at + conv::LineUp(wide.ImageBytes());
  narrow.SetLaunch(context, blocks, second.filters_at + wide.FilterBytes());
  return true;
}

static ge::graphStatus TilingC3Bottleneck(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(kX)->GetDataType()));
  auto& t = *context->GetTilingData<C3BottleneckTiling>();
  t = {};
  t.shortcut = *context->GetAttrs()->GetBool(1) ? 1 : 0;
  SetSizes(context, kNarrowW, t.narrow);
  SetSizes(context, kW, t.wide);
  t.wide.window.pad_top = window::Attr(context, 0, 0);
  t.wide.window.pad_left = window::Attr(context, 0, 1);
  if (PlanTurned(context, t)) return ge::GRAPH_SUCCESS;
  t.narrow.turned = t.wide.turned = {};
  if (conv_dense::PlanSizes(context, t.narrow, {1, kSiluScratch}) != ge::GRAPH_SUCCESS)
    return ge::GRAPH_FAILED;
  const uint32_t blocks = context->GetBlockDim();
  if (conv_dense::PlanSizes(context, t.wide, {1, kShortcutScratch}) != ge::GRAPH_SUCCESS)
    return ge::GRAPH_FAILED;
  size_t* workspace = context->GetWorkspaceSizes(1);
  t.windows_bytes =
      conv_dense::CeilDiv(workspace[0] - platform.GetLibApiWorkSpaceSize(), 512) * 512;
  workspace[0] = platform.GetLibApiWorkSpaceSize() + t.windows_bytes +
                 t.narrow.images * t.narrow.out_channels * t.narrow.image_pixels * bytes;
  context->SetBlockDim(static_cast<uint32_t>(conv_dense::Most(blocks, context->GetBlockDim())));
  context->SetTilingKey(0);
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(C3Bottleneck).Tiling(TilingC3Bottleneck);
