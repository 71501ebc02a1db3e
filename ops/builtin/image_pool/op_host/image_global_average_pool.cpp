#include "../op_kernel/image_global_tiling.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace {

uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// Planes that a core has, up to what UB holds of them: in x twice, in float, and the means.
ge::graphStatus TilingImageGlobalAveragePool(gert::TilingContext* context) {
  constexpr uint64_t kUbPercent = 90, kPixelBytes = 128, kPlaneBytes = 192;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& origin = context->GetInputShape(0)->GetOriginShape();
  auto& t = *context->GetTilingData<ImageGlobalTiling>();
  t = {};
  t.images = static_cast<uint32_t>(x.GetDim(0));
  t.channels = static_cast<uint32_t>(origin.GetDim(1));
  t.planes = static_cast<uint32_t>(x.GetDim(1));
  t.pixels = static_cast<uint32_t>(x.GetDim(2) * x.GetDim(3));
  const uint64_t cores = platform.GetCoreNumAiv();
  const uint64_t room =
      ub_bytes * kUbPercent / 100 / (uint64_t{t.pixels} * kPixelBytes + kPlaneBytes);
  const uint64_t share = CeilDiv(uint64_t{t.images} * t.planes, cores);
  uint64_t planes = room < share ? room : share;
  if (planes > t.planes) planes = t.planes;
  if (planes == 0) return ge::GRAPH_FAILED;
  t.tile_planes = static_cast<uint32_t>(planes);
  t.tiles = static_cast<uint32_t>(CeilDiv(t.planes, planes));
  const uint64_t all = uint64_t{t.images} * t.tiles;
  t.core_tiles = CeilDiv(all, cores);
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(all, t.core_tiles)));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(ImageGlobalAveragePool).Tiling(TilingImageGlobalAveragePool);
