#include "../op_kernel/sppf_tiling.h"
#include "window_plan.h"

namespace {

using namespace window;

constexpr uint64_t kUbPercent = 80;
constexpr uint64_t kMostTurned = 255 * 16;  // elements of a row that is turned, repeats of a call

uint32_t UpToStep(uint64_t n) { return static_cast<uint32_t>(CeilDiv(n, kSppfStep) * kSppfStep); }

// Sets as many planes at once as UB holds, with gaps between them, or one without.
void SetTile(uint64_t ub_bytes, uint64_t bytes, SppfTilingData& t) {
  t.high = UpToStep(t.height);
  t.wide = UpToStep(t.width + uint64_t{kSppfPools} * t.reach_across);
  const uint64_t plane = uint64_t{t.high} * t.wide * bytes * kSppfBuffers;
  const uint64_t fit = Least(ub_bytes * kUbPercent / 100 / Most(1, plane), kMostTurned / t.wide);
  // A core's tiles have about as many planes each.
  const uint64_t tiles = CeilDiv(t.core_planes, Most(1, fit));
  t.tile_planes = static_cast<uint32_t>(CeilDiv(t.core_planes, tiles));
  if (t.tile_planes > 1) return;
  t.tile_planes = 1;
  t.wide = UpToStep(t.width);
}

}  // namespace

static ge::graphStatus TilingSppf(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
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
  SetTile(ub_bytes,
          static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType())), t);
  context->SetBlockDim(static_cast<uint32_t>(Most(1, CeilDiv(t.planes, t.core_planes))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(Sppf).Tiling(TilingSppf);
