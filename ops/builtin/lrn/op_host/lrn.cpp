#include "../op_kernel/lrn_tiling.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace {

constexpr uint64_t kStep = 16;        // pixels: whole blocks of either type
constexpr uint64_t kMostRows = 4032;  // parts of a copy, less those around a tile
constexpr uint64_t kUbPercent = 80;

uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
uint64_t Least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// All channels in a tile of as many pixels as fit; where 16 do not fit, a part of the channels.
void SetTiles(uint64_t elements, uint64_t cores, LrnTilingData& t) {
  const uint64_t all = t.channels + t.size - 1, rows = Least(t.channels, kMostRows);
  const uint64_t pixels = elements / all / kStep * kStep;
  if (pixels >= kStep && rows == t.channels) {
    t.tile_channels = t.channels;
    t.tile_pixels = static_cast<uint32_t>(Least(pixels, CeilDiv(t.pixels, kStep) * kStep));
    const auto tiles = [&t] { return t.images * CeilDiv(t.pixels, t.tile_pixels); };
    while (tiles() < cores && t.tile_pixels > 4 * kStep)
      t.tile_pixels = static_cast<uint32_t>(CeilDiv(t.tile_pixels / 2, kStep) * kStep);
  } else {
    t.tile_pixels = kStep;
    t.tile_channels = static_cast<uint32_t>(Least(rows, elements / kStep - (t.size - 1)));
  }
}

ge::graphStatus TilingLrn(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const auto* attrs = context->GetAttrs();
  auto& t = *context->GetTilingData<LrnTilingData>();
  t = {};
  t.images = static_cast<uint64_t>(x.GetDim(0));
  t.channels = static_cast<uint32_t>(x.GetDim(1));
  t.pixels = 1;
  for (size_t d = 2; d < x.GetDimNum(); ++d) t.pixels *= static_cast<uint32_t>(x.GetDim(d));
  t.size = static_cast<uint32_t>(*attrs->GetInt(3));
  t.before = (t.size - 1) / 2;
  t.alpha = *attrs->GetFloat(0) / static_cast<float>(t.size);
  t.beta = *attrs->GetFloat(1);
  t.bias = *attrs->GetFloat(2);
  const uint64_t cores = platform.GetCoreNumAiv();
  // In and out twice, and three in float.
  if (t.images * t.channels * t.pixels > 0) {
    SetTiles(ub_bytes * kUbPercent / 100 / (4 * bytes + 12), cores, t);
    t.tiles = t.images * CeilDiv(t.pixels, t.tile_pixels) * CeilDiv(t.channels, t.tile_channels);
  }
  t.core_tiles = t.tiles > 0 ? CeilDiv(t.tiles, cores) : 1;
  context->SetBlockDim(static_cast<uint32_t>(t.tiles > 0 ? CeilDiv(t.tiles, t.core_tiles) : 1));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(LRN).Tiling(TilingLrn);
