#include "../op_kernel/trilu_tiling.h"
#include "layout_plan.h"

// Rows cross the diagonal: whole ones where they fit, few enough that tiles lie beside it.
static ge::graphStatus TilingTrilu(gert::TilingContext* context) {
  using namespace layout;
  constexpr uint64_t kMostTileRows = 64;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const size_t rank = x.GetDimNum();
  auto& t = *context->GetTilingData<TriluTilingData>();
  t = {};
  t.rows = x.GetDim(rank - 2);
  t.columns = x.GetDim(rank - 1);
  t.k = *context->GetAttrs()->GetInt(0);
  t.upper = static_cast<uint32_t>(*context->GetAttrs()->GetInt(1));
  const auto elements = static_cast<uint64_t>(x.GetShapeSize());
  context->SetBlockDim(1);
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  if (elements == 0) return ge::GRAPH_SUCCESS;
  t.matrices = elements / (static_cast<uint64_t>(t.rows) * static_cast<uint64_t>(t.columns));
  const uint64_t block = 32 / bytes;
  const uint64_t capacity = ub_bytes * kUbPercent / 100 / (kBuffers + 1) / bytes / block * block;
  t.tile_columns = static_cast<uint32_t>(Least(t.columns, capacity));
  const uint64_t fit = capacity / UpTo(t.tile_columns, block);
  t.tile_rows = static_cast<uint32_t>(Least(Least(fit, kMostTileRows), t.rows));
  t.tile = static_cast<uint32_t>(t.tile_rows * UpTo(t.tile_columns, block));
  const uint64_t tiles =
      t.matrices * CeilDiv(t.rows, t.tile_rows) * CeilDiv(t.columns, t.tile_columns);
  t.core_tiles = CeilDiv(tiles, platform.GetCoreNumAiv());
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(tiles, t.core_tiles)));
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(Trilu).Tiling(TilingTrilu);
