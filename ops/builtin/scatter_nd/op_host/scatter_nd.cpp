#include "../op_kernel/scatter_nd_tiling.h"

#include <string_view>

#include "layout_plan.h"

namespace {

using namespace layout;

constexpr uint64_t kAhead = 4;           // updates that are on their way
constexpr uint64_t kLeastColumns = 128;  // is the least of a tile that is a part of its slices
constexpr uint64_t kChunkBytes = 28;     // is what an index that is looked at takes
constexpr uint64_t kLeastTile = 512;     // bytes of a tile that repays looking at the indices
constexpr uint64_t kComputed = 4;        // bytes of an element where it is added

// Few slices: cores share out their columns. All cores look at all indices.
void SetTiles(uint64_t ub_bytes, uint64_t bytes, uint64_t cores, ScatterNdTilingData& t) {
  const uint64_t room = ub_bytes * kUbPercent / 100 - kScatterChunk * kChunkBytes;
  const uint64_t element = 2 * kBuffers * bytes + kComputed, update = kAhead * bytes + kComputed;
  const uint64_t block = 32 / bytes;
  const uint64_t share = CeilDiv(t.columns, CeilDiv(cores, t.slices));
  const uint64_t most = room / (element + update) / block * block;
  t.tile_columns = static_cast<uint32_t>(
      Least(Least(t.columns, most), Most(kLeastColumns, UpTo(share, kLeastColumns))));
  t.pitch = static_cast<uint32_t>(UpTo(t.tile_columns, block));
  const uint64_t fit = (room - update * t.pitch) / element / t.pitch;
  const uint64_t rows = Most(CeilDiv(t.slices, cores), CeilDiv(kLeastTile, t.pitch * bytes));
  t.tile_rows = static_cast<uint32_t>(Most(1, Least(Least(fit, rows), Least(kMostRows, t.slices))));
}

}  // namespace

static ge::graphStatus TilingScatterNd(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const gert::Shape& data = context->GetInputShape(0)->GetStorageShape();
  auto& t = *context->GetTilingData<ScatterNdTilingData>();
  t = {};
  t.slices = static_cast<uint64_t>(data.GetDim(0));
  t.columns = 1;
  for (size_t d = 1; d < data.GetDimNum(); ++d) t.columns *= static_cast<uint64_t>(data.GetDim(d));
  t.updates = static_cast<uint64_t>(context->GetInputShape(1)->GetStorageShape().GetDim(0));
  t.adds = std::string_view(context->GetAttrs()->GetStr(0)) == "add" ? 1 : 0;
  context->SetBlockDim(1);
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  if (t.columns == 0) return ge::GRAPH_SUCCESS;
  const uint64_t cores = platform.GetCoreNumAiv();
  SetTiles(ub_bytes, bytes, cores, t);
  const uint64_t tiles = CeilDiv(t.slices, t.tile_rows) * CeilDiv(t.columns, t.tile_columns);
  t.core_tiles = CeilDiv(tiles, cores);
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(tiles, t.core_tiles)));
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(ScatterND).Tiling(TilingScatterNd);
