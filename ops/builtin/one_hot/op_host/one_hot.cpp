#include "../op_kernel/one_hot_tiling.h"
#include "layout_plan.h"

namespace {

void SetSizes(gert::TilingContext* context, OneHotTilingData& t) {
  const gert::Shape& indices = context->GetInputShape(0)->GetStorageShape();
  const auto axis = static_cast<size_t>(*context->GetAttrs()->GetInt(1));
  uint64_t outer = 1, inner = 1;
  for (size_t d = 0; d < indices.GetDimNum(); ++d)
    (d < axis ? outer : inner) *= static_cast<uint64_t>(indices.GetDim(d));
  t.depth = static_cast<uint64_t>(*context->GetAttrs()->GetInt(0));
  t.across = inner == 1 ? 1 : 0;
  t.matrices = outer * inner == 0 ? 0 : t.across != 0 ? 1 : outer;
  t.rows = t.across != 0 ? outer : t.depth;
  t.columns = t.across != 0 ? t.depth : inner;
}

}  // namespace

static ge::graphStatus TilingOneHot(gert::TilingContext* context) {
  using namespace layout;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(1)->GetDataType()));
  auto& t = *context->GetTilingData<OneHotTilingData>();
  t = {};
  SetSizes(context, t);
  context->SetBlockDim(1);
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  if (t.matrices == 0) return ge::GRAPH_SUCCESS;
  const uint64_t block = 32 / bytes, cores = platform.GetCoreNumAiv();
  const uint64_t capacity = ub_bytes * kUbPercent / 100 / kBuffers / bytes / block * block;
  t.tile_columns = static_cast<uint32_t>(Least(t.columns, capacity));
  const uint64_t pitch = UpTo(t.tile_columns, block);
  const uint64_t share =
      Most(CeilDiv(t.rows * t.matrices, cores), CeilDiv(kMinTileBytes, pitch * bytes));
  t.tile_rows =
      static_cast<uint32_t>(Least(Least(t.rows, share), Least(capacity / pitch, kMostRows)));
  t.tile = static_cast<uint32_t>(t.tile_rows * pitch);
  const uint64_t tiles =
      t.matrices * CeilDiv(t.rows, t.tile_rows) * CeilDiv(t.columns, t.tile_columns);
  t.core_tiles = CeilDiv(tiles, cores);
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(tiles, t.core_tiles)));
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(OneHot).Tiling(TilingOneHot);
