// Blocks of sums that fit into UB with what turns them, and narrower ones while cores are idle.
#include "../op_kernel/mla_prolog_tiling.h"

#include "block_plan.h"

namespace {

using namespace block;

constexpr uint64_t kUbPercent = 80;
// Places of the contract's inputs.
constexpr size_t kX = 0, kWeightDq = 1, kWeightUk = 3, kKvCache = 10, kKrCache = 11;

void SetSizes(gert::TilingContext* context, MlaPrologTiling& t) {
  const auto dim = [&](size_t input, size_t d) {
    return static_cast<uint32_t>(context->GetInputShape(input)->GetStorageShape().GetDim(d));
  };
  t.tokens = dim(kX, 0);
  t.hidden = dim(kX, 1);
  t.query_rank = dim(kWeightDq, 1);
  t.heads = dim(kWeightUk, 0);
  t.plain = dim(kWeightUk, 1);
  t.cache_rank = dim(kWeightUk, 2);
  t.half = dim(kKrCache, 2) / 2;
  t.slots = uint64_t{dim(kKvCache, 0)} * dim(kKvCache, 1);
  t.query_epsilon = *context->GetAttrs()->GetFloat(0);
  t.cache_epsilon = *context->GetAttrs()->GetFloat(1);
}

// Blocks of the steps, `wide` columns each.
uint64_t TasksOfDown(const MlaPrologTiling& t, uint64_t wide) {
  return CeilDiv(t.tokens, t.block_rows) *
         (CeilDiv(t.query_rank, wide) + CeilDiv(t.cache_rank, wide) + CeilDiv(t.half, wide));
}
uint64_t TasksOfUp(const MlaPrologTiling& t, uint64_t wide) {
  return CeilDiv(t.tokens, t.block_rows) * t.heads *
         (CeilDiv(t.plain, wide) + CeilDiv(t.half, wide));
}
uint64_t TasksOfAbsorb(const MlaPrologTiling& t, uint64_t wide) {
  return CeilDiv(t.tokens, t.block_rows) * t.heads * CeilDiv(t.cache_rank, wide);
}

// Returns the bytes of UB for an element of a block: `sums` of them, both halves of pairs before
// and behind their turning, angles, those in float, results in both types.
uint64_t ElementBytes(uint64_t bytes, uint64_t sums) {
  return (sums + 4) * sizeof(float) + bytes + sizeof(float) + bytes + sizeof(float);
}

void SetBlocks(uint64_t ub_bytes, uint64_t bytes, uint64_t cores, MlaPrologTiling& t) {
  const uint64_t room = ub_bytes * kUbPercent / 100 / ElementBytes(bytes, 1);
  const uint64_t widest = Most(Most(t.query_rank, t.cache_rank), Most(t.plain, t.half));
  SetBlock(t.tokens, widest, room, t.block_rows, t.block_columns);
  while (TasksOfDown(t, t.block_columns) < cores && t.block_columns > LeastColumns(bytes))
    Halve(t.block_columns);
  t.down_columns = t.up_columns = t.absorb_columns = t.block_columns;
  t.finished_rows = t.block_rows;
}

// Blocks for cube cores of their own, whose vector cores finish half of the rows each.
void SetSlotBlocks(uint64_t ub_bytes, uint64_t bytes, uint64_t cores, MlaPrologTiling& t) {
  const uint64_t room = ub_bytes * kUbPercent / 100 / ElementBytes(bytes, 2);
  t.block_rows = UpTo(Least(t.tokens, kMostRows), kStep);
  t.finished_rows = static_cast<uint32_t>(CeilDiv(t.block_rows, kVectorCores));
  const uint64_t most = room / t.finished_rows;
  t.down_columns = BestColumns([&](uint64_t wide) { return TasksOfDown(t, wide); }, t.block_rows,
                               bytes, cores, most);
  t.up_columns = BestColumns([&](uint64_t wide) { return TasksOfUp(t, wide); }, t.block_rows, bytes,
                             cores, most);
  t.absorb_columns = BestColumns([&](uint64_t wide) { return TasksOfAbsorb(t, wide); },
                                 t.block_rows, bytes, cores, most);
  t.block_columns =
      static_cast<uint32_t>(Most(t.down_columns, Most(t.up_columns, t.absorb_columns)));
}

bool SetProducts(gert::TilingContext* context, ge::DataType dtype, MlaPrologTiling& t) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  const uint64_t deepest = Most(Most(t.hidden, t.query_rank), t.plain);
  if (!HasCubeCores(platform)) {
    SetBlocks(ub_bytes, bytes, platform.GetCoreNumAiv(), t);
    context->SetTilingKey(0);
    return SetCube(platform, dtype, t.block_rows, t.block_columns, deepest, t.cube);
  }
  SetSlotBlocks(ub_bytes, bytes, platform.GetCoreNumAic(), t);
  context->SetTilingKey(1);
  return SetCubeInSlots(platform, dtype, t.block_rows, t.block_columns, deepest, t.cube);
}

ge::graphStatus TilingMlaProlog(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const ge::DataType dtype = context->GetInputDesc(kX)->GetDataType();
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  auto& t = *context->GetTilingData<MlaPrologTiling>();
  t = {};
  SetSizes(context, t);
  if (!SetProducts(context, dtype, t)) return ge::GRAPH_FAILED;
  const bool slots = HasCubeCores(platform);
  const uint64_t products =
      Most(TasksOfDown(t, t.down_columns),
           Most(TasksOfUp(t, t.up_columns), TasksOfAbsorb(t, t.absorb_columns)));
  const uint64_t shares = slots ? kVectorCores * products : products;  // belong to vector cores
  const uint64_t tasks = Most(shares, uint64_t{2} * t.tokens);
  const uint64_t blocks = CeilDiv(Least(tasks, platform.GetCoreNumAiv()), kVectorCores);
  context->SetBlockDim(static_cast<uint32_t>(blocks));
  t.slot_bytes = slots ? SlotBytes(blocks, t.cube) : 0;
  const uint64_t floats = uint64_t{t.tokens} * (t.query_rank + t.cache_rank);
  const uint64_t narrow = t.tokens * (t.query_rank + uint64_t{t.heads} * t.plain);
  context->GetWorkspaceSizes(1)[0] =
      platform.GetLibApiWorkSpaceSize() + t.slot_bytes + floats * sizeof(float) + narrow * bytes;
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(MlaProlog).Tiling(TilingMlaProlog);
