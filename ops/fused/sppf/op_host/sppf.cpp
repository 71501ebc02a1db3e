#include "../op_kernel/sppf_tiling.h"
#include "window_plan.h"

static ge::graphStatus TilingSppf(gert::TilingContext* context) {
  using namespace window;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  auto& t = *context->GetTilingData<SppfTilingData>();
  t = {};
  t.channels = static_cast<uint64_t>(x.GetDim(1));
  t.planes = static_cast<uint64_t>(x.GetDim(0)) * t.channels;
  t.height = static_cast<uint32_t>(x.GetDim(2));
  t.width = static_cast<uint32_t>(x.GetDim(3));
  t.reach_down = Attr(context, 1, 0);
  t.reach_across = Attr(context, 1, 1);
  t.core_planes = Most(1, CeilDiv(t.planes, platform.GetCoreNumAiv()));
  context->SetBlockDim(static_cast<uint32_t>(Most(1, CeilDiv(t.planes, t.core_planes))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(Sppf).Tiling(TilingSppf);
