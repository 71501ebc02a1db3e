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

uint64_t Across(const MlaPrologTiling& t, uint64_t columns) {
  return CeilDiv(columns, t.block_columns);
}
uint64_t TasksOfDown(const MlaPrologTiling& t) {
  return CeilDiv(t.tokens, t.block_rows) *
         (Across(t, t.query_rank) + Across(t, t.cache_rank) + Across(t, t.half));
}
uint64_t TasksOfUp(const MlaPrologTiling& t) {
  return CeilDiv(t.tokens, t.block_rows) * t.heads * (Across(t, t.plain) + Across(t, t.half));
}
uint64_t TasksOfAbsorb(const MlaPrologTiling& t) {
  return CeilDiv(t.tokens, t.block_rows) * t.heads * Across(t, t.cache_rank);
}

void SetBlocks(uint64_t ub_bytes, uint64_t bytes, uint64_t cores, MlaPrologTiling& t) {
  // Sums, halves of pairs, results in float; angles, those in float, results.
  const uint64_t element = 5 * sizeof(float) + bytes + sizeof(float) + bytes;
  const uint64_t room = ub_bytes * kUbPercent / 100 / element;
  const uint64_t widest = Most(Most(t.query_rank, t.cache_rank), Most(t.plain, t.half));
  SetBlock(t.tokens, widest, room, t.block_rows, t.block_columns);
  while (TasksOfDown(t) < cores && t.block_columns > LeastColumns(bytes)) Halve(t.block_columns);
}

ge::graphStatus TilingMlaProlog(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const ge::DataType dtype = context->GetInputDesc(kX)->GetDataType();
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  const uint64_t cores = platform.GetCoreNumAiv();
  auto& t = *context->GetTilingData<MlaPrologTiling>();
  t = {};
  SetSizes(context, t);
  SetBlocks(ub_bytes, bytes, cores, t);
  const uint64_t deepest = Most(Most(t.hidden, t.query_rank), t.plain);
  if (!SetCube(platform, dtype, t.block_rows, t.block_columns, deepest, t.cube))
    return ge::GRAPH_FAILED;
  const uint64_t tasks =
      Most(Most(TasksOfDown(t), uint64_t{2} * t.tokens), Most(TasksOfUp(t), TasksOfAbsorb(t)));
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(Least(tasks, cores), kVectorCores)));
  context->SetTilingKey(0);
  const uint64_t floats = uint64_t{t.tokens} * (t.query_rank + t.cache_rank);
  const uint64_t narrow = t.tokens * (t.query_rank + uint64_t{t.heads} * t.plain);
  context->GetWorkspaceSizes(1)[0] =
      platform.GetLibApiWorkSpaceSize() + floats * sizeof(float) + narrow * bytes;
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(MlaProlog).Tiling(TilingMlaProlog);
