// Tiles of y: blocks of the cube unit that fit into UB, and smaller ones while cores are idle.
#include "../op_kernel/grouped_matmul_tiling.h"

#include "block_plan.h"

namespace {

using namespace block;

constexpr uint64_t kUbPercent = 80;

// Groups may divide the rows anyhow: tiles are counted as if they were alike.
uint64_t TilesOf(const GroupedMatmulTiling& t, uint64_t wide) {
  const uint64_t group_rows = CeilDiv(t.rows, t.groups);
  return t.groups * CeilDiv(group_rows, t.block_rows) * CeilDiv(t.columns, wide);
}

// Elements that UB has room for: `sums` buffers of sums, zeros, results.
uint64_t RoomOf(uint64_t ub_bytes, uint64_t bytes, uint64_t sums) {
  return ub_bytes * kUbPercent / 100 / ((sums + 1) * sizeof(float) + bytes);
}

void SetBlocks(uint64_t ub_bytes, uint64_t bytes, uint64_t cores, GroupedMatmulTiling& t) {
  SetBlock(CeilDiv(t.rows, t.groups), t.columns, RoomOf(ub_bytes, bytes, 1), t.block_rows,
           t.block_columns);
  while (TilesOf(t, t.block_columns) < cores && t.block_columns > LeastColumns(bytes))
    Halve(t.block_columns);
  t.finished_rows = t.block_rows;
}

// Tiles for cube cores of their own, whose vector cores finish half of the rows each.
void SetSlotBlocks(uint64_t ub_bytes, uint64_t bytes, uint64_t cores, GroupedMatmulTiling& t) {
  // Tiles are twice as high as groups of one size would be: some groups are larger, and every tile
  // of a group reads the weights.
  const uint64_t rows = Least(t.rows, 2 * CeilDiv(t.rows, t.groups));
  t.block_rows = UpTo(Least(Most(1, rows), kMostRows), kStep);
  t.finished_rows = static_cast<uint32_t>(CeilDiv(t.block_rows, kVectorCores));
  const uint64_t most = Least(UpTo(t.columns, kStep), RoomOf(ub_bytes, bytes, 2) / t.finished_rows);
  t.block_columns = BestColumns([&](uint64_t wide) { return TilesOf(t, wide); }, t.block_rows,
                                bytes, cores, most);
}

bool SetProducts(gert::TilingContext* context, ge::DataType dtype, GroupedMatmulTiling& t) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  if (!HasCubeCores(platform)) {
    SetBlocks(ub_bytes, bytes, platform.GetCoreNumAiv(), t);
    context->SetTilingKey(0);
    return SetCube(platform, dtype, t.block_rows, t.block_columns, t.depth, t.cube);
  }
  SetSlotBlocks(ub_bytes, bytes, platform.GetCoreNumAic(), t);
  context->SetTilingKey(1);
  return SetCubeInSlots(platform, dtype, t.block_rows, t.block_columns, t.depth, t.cube);
}

ge::graphStatus TilingGroupedMatmul(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const gert::Shape& w = context->GetInputShape(1)->GetStorageShape();
  auto& t = *context->GetTilingData<GroupedMatmulTiling>();
  t = {};
  t.rows = static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetDim(0));
  t.groups = static_cast<uint32_t>(w.GetDim(0));
  t.depth = static_cast<uint32_t>(w.GetDim(1));
  t.columns = static_cast<uint32_t>(w.GetDim(2));
  t.has_bias = context->GetOptionalInputShape(2) != nullptr ? 1 : 0;
  if (!SetProducts(context, dtype, t)) return ge::GRAPH_FAILED;
  // A group more than whole tiles would take: each may end with a part of one.
  const uint64_t tiles =
      (CeilDiv(t.rows, t.block_rows) + t.groups) * CeilDiv(t.columns, t.block_columns);
  const bool slots = HasCubeCores(platform);
  const uint64_t blocks = slots ? Least(tiles, platform.GetCoreNumAic())
                                : CeilDiv(Least(tiles, platform.GetCoreNumAiv()), kVectorCores);
  context->SetBlockDim(static_cast<uint32_t>(blocks));
  context->GetWorkspaceSizes(1)[0] =
      platform.GetLibApiWorkSpaceSize() + (slots ? SlotBytes(blocks, t.cube) : 0);
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(GroupedMatmul).Tiling(TilingGroupedMatmul);
