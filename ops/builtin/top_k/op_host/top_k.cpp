#include "../op_kernel/top_k_tiling.h"
#include "elementwise_plan.h"

constexpr uint64_t kMostChunk = 2048;
constexpr uint64_t kMostSide = 64;  // rows

// Sorting is done in the vector unit's groups and fours of them.
static ge::graphStatus TilingTopK(gert::TilingContext* context) {
  using namespace elementwise;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  auto& t = *context->GetTilingData<TopKTilingData>();
  t = {};
  t.columns = static_cast<uint64_t>(x.GetDim(x.GetDimNum() - 1));
  t.rows = static_cast<uint64_t>(x.GetShapeSize()) / t.columns;
  t.k = static_cast<uint32_t>(*context->GetAttrs()->GetInt(0));
  t.largest = static_cast<uint32_t>(*context->GetAttrs()->GetInt(1));
  t.core_rows = Most(1, CeilDiv(t.rows, platform.GetCoreNumAiv()));
  t.chunk = kSortGroup;
  while (t.chunk < t.columns && t.chunk < kMostChunk) t.chunk *= kSortLists;
  t.side = t.columns <= kSortGroup ? static_cast<uint32_t>(Least(kMostSide, t.core_rows)) : 1;
  context->SetBlockDim(static_cast<uint32_t>(Most(1, CeilDiv(t.rows, t.core_rows))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(TopK).Tiling(TilingTopK);
