#include "../op_kernel/gather_tiling.h"
#include "layout_plan.h"

static ge::graphStatus TilingGather(gert::TilingContext* context) {
  using namespace layout;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const gert::Shape& data = context->GetInputShape(0)->GetStorageShape();
  auto& t = *context->GetTilingData<GatherTilingData>();
  const auto axis = static_cast<size_t>(*context->GetAttrs()->GetInt(0));
  t.slices = static_cast<uint64_t>(data.GetDim(axis));
  t.indices = static_cast<uint64_t>(context->GetInputShape(1)->GetStorageShape().GetShapeSize());
  t.rows = t.indices;
  t.columns = 1;
  for (size_t d = 0; d < data.GetDimNum(); ++d) {
    if (d < axis) t.rows *= static_cast<uint64_t>(data.GetDim(d));
    if (d > axis) t.columns *= static_cast<uint64_t>(data.GetDim(d));
  }

  const uint64_t block = 32 / bytes;
  const uint64_t capacity = ub_bytes * kUbPercent / 100 / kBuffers / bytes / block * block;
  t.tile_columns = static_cast<uint32_t>(Least(t.columns, capacity));
  const uint64_t fit = capacity / Most(block, UpTo(t.tile_columns, block));
  t.tile_rows = static_cast<uint32_t>(Most(1, Least(Least(fit, kMostRows), t.rows)));
  const uint64_t least = CeilDiv(kMinTileBytes, Most(1, t.columns * bytes));
  t.core_rows = Most(least, CeilDiv(t.rows, platform.GetCoreNumAiv()));
  context->SetBlockDim(static_cast<uint32_t>(Most(1, CeilDiv(t.rows, t.core_rows))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(Gather).Tiling(TilingGather);
