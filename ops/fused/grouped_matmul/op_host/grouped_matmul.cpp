// Tiles of y: blocks of the cube unit that fit into UB, and smaller ones while cores are idle.
#include "../op_kernel/grouped_matmul_tiling.h"

#include "block_plan.h"

namespace {

using namespace block;

constexpr uint64_t kUbPercent = 80;

// Groups may divide the rows anyhow: tiles are counted as if they were alike.
uint64_t TilesOf(const GroupedMatmulTiling& t) {
  const uint64_t group_rows = CeilDiv(t.rows, t.groups);
  return t.groups * CeilDiv(group_rows, t.block_rows) * CeilDiv(t.columns, t.block_columns);
}

void SetBlocks(uint64_t ub_bytes, uint64_t bytes, uint64_t cores, GroupedMatmulTiling& t) {
  const uint64_t element = 2 * sizeof(float) + bytes;  // sums, zeros, results
  const uint64_t room = ub_bytes * kUbPercent / 100 / element;
  SetBlock(CeilDiv(t.rows, t.groups), t.columns, room, t.block_rows, t.block_columns);
  while (TilesOf(t) < cores && t.block_columns > LeastColumns(bytes)) Halve(t.block_columns);
}

ge::graphStatus TilingGroupedMatmul(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  const uint64_t cores = platform.GetCoreNumAiv();
  const gert::Shape& w = context->GetInputShape(1)->GetStorageShape();
  auto& t = *context->GetTilingData<GroupedMatmulTiling>();
  t = {};
  t.rows = static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetDim(0));
  t.groups = static_cast<uint32_t>(w.GetDim(0));
  t.depth = static_cast<uint32_t>(w.GetDim(1));
  t.columns = static_cast<uint32_t>(w.GetDim(2));
  t.has_bias = context->GetOptionalInputShape(2) != nullptr ? 1 : 0;
  SetBlocks(ub_bytes, bytes, cores, t);
  if (!SetCube(platform, dtype, t.block_rows, t.block_columns, t.depth, t.cube))
    return ge::GRAPH_FAILED;
  // A group more than whole tiles would take: each may end with a part of one.
  const uint64_t tiles =
      (CeilDiv(t.rows, t.block_rows) + t.groups) * CeilDiv(t.columns, t.block_columns);
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(Least(tiles, cores), kVectorCores)));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(GroupedMatmul).Tiling(TilingGroupedMatmul);
