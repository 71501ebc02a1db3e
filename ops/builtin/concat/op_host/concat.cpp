#include "../op_kernel/concat_tiling.h"
#include "layout_plan.h"

namespace {

// Elements of the dims from `first` on.
uint64_t Elements(const gert::Shape& shape, size_t first) {
  uint64_t elements = 1;
  for (size_t d = first; d < shape.GetDimNum(); ++d)
    elements *= static_cast<uint64_t>(shape.GetDim(d));
  return elements;
}

// The tiles of one input, and what they take in UB.
uint64_t SetTiles(ConcatTilingData& data, uint32_t input, uint64_t capacity, uint64_t cores,
                  uint32_t bytes) {
  LayoutTiling t{};
  t.matrices = 1;
  t.rows = data.rows;
  t.columns = data.columns[input];
  layout::SetTiles(capacity, bytes, t);
  layout::ShareOut(cores, bytes, t);
  data.tile_rows[input] = t.tile_rows;
  data.tile_columns[input] = t.tile_columns;
  return t.tile_rows * layout::UpTo(t.tile_columns, LayoutBlock(bytes));
}

ge::graphStatus TilingConcat(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint32_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const uint64_t capacity = ub_bytes * layout::kUbPercent / 100 / layout::kBuffers / bytes;
  auto* data = context->GetTilingData<ConcatTilingData>();
  *data = {};
  data->inputs = static_cast<uint32_t>(context->GetComputeNodeInputNum());
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  data->rows = static_cast<uint64_t>(y.GetDim(0));
  data->y_columns = Elements(y, 1);
  for (uint32_t i = 0; i < data->inputs; ++i) {
    data->columns[i] = Elements(context->GetInputShape(i)->GetStorageShape(), 1);
    if (data->columns[i] == 0 || data->rows == 0) continue;
    const uint64_t room = SetTiles(*data, i, capacity, platform.GetCoreNumAiv(), bytes);
    data->room = static_cast<uint32_t>(layout::Most(data->room, room));
  }
  const uint64_t worth = layout::CeilDiv(data->rows * data->y_columns * bytes, 16384);
  context->SetBlockDim(
      static_cast<uint32_t>(layout::Most(1, layout::Least(platform.GetCoreNumAiv(), worth))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(Concat).Tiling(TilingConcat);
