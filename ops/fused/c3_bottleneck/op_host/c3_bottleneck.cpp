#include "../op_kernel/c3_bottleneck_tiling.h"
#include "conv_dense_plan.h"

constexpr uint64_t kFloat = sizeof(float);
// Bytes that the finishes take for an element: SiLU; a block of x, and that in float.
constexpr uint64_t kSiluScratch = 2 * kFloat, kShortcutScratch = kSiluScratch + 2 * kFloat;
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

static ge::graphStatus TilingC3Bottleneck(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(kX)->GetDataType()));
  auto& t = *context->GetTilingData<C3BottleneckTiling>();
  t = {};
  t.shortcut = *context->GetAttrs()->GetBool(1) ? 1 : 0;
  SetSizes(context, kNarrowW, t.narrow);
  if (conv_dense::PlanSizes(context, t.narrow, {1, kSiluScratch}) != ge::GRAPH_SUCCESS)
    return ge::GRAPH_FAILED;
  const uint32_t blocks = context->GetBlockDim();
  SetSizes(context, kW, t.wide);
  t.wide.window.pad_top = window::Attr(context, 0, 0);
  t.wide.window.pad_left = window::Attr(context, 0, 1);
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
