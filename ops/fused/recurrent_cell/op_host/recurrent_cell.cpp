// Parts of the state for every core: blocks of the cube unit that fit into UB with all that a step
// makes of them, and smaller ones while cores are idle.
#include "../op_kernel/recurrent_cell_tiling.h"

#include "block_plan.h"

namespace {

using namespace block;

constexpr uint64_t kUbPercent = 80;

uint64_t PartsOf(const RecurrentCellTiling& t) {
  return CeilDiv(t.rows, t.part_rows) * CeilDiv(t.columns, t.part_columns);
}

// Base blocks of the products of all gates, from x and from the state.
uint64_t TasksOf(const RecurrentCellTiling& t, uint64_t gates) {
  return 2 * CeilDiv(t.rows, static_cast<uint64_t>(t.cube.baseM)) *
         CeilDiv(gates * t.columns, static_cast<uint64_t>(t.cube.baseN));
}

void SetParts(uint64_t ub_bytes, uint64_t bytes, uint64_t cores, RecurrentCellTiling& t) {
  // Sums, four parts and a state in float; a state in and out as it is stored.
  const uint64_t element = 6 * sizeof(float) + 2 * bytes;
  const uint64_t room = ub_bytes * kUbPercent / 100 / element;
  SetBlock(t.rows, t.columns, room, t.part_rows, t.part_columns);
  while (PartsOf(t) < cores && t.part_columns > LeastColumns(bytes)) Halve(t.part_columns);
}

// Blocks of the products of all gates for cube cores of their own; parts of the state for all
// vector cores, few rows of many columns.
bool SetStored(const platform_ascendc::PlatformAscendC& platform, ge::DataType dtype,
               uint64_t ub_bytes, uint64_t gates, RecurrentCellTiling& t) {
  constexpr uint64_t kWidest = 1024, kNarrowest = 64;
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  const uint32_t rows = UpTo(Least(Most(1, t.rows), kMostRows), kStep);
  const uint64_t down = CeilDiv(t.rows, rows), width = gates * t.columns;
  const uint32_t wide = BestColumns([&](uint64_t c) { return 2 * down * CeilDiv(width, c); }, rows,
                                    bytes, platform.GetCoreNumAic(), UpTo(width, kStep));
  // Sums twice, four parts and a state in float; a state in and out as it is stored.
  const uint64_t room = ub_bytes * kUbPercent / 100 / (7 * sizeof(float) + 2 * bytes);
  const uint64_t cores = platform.GetCoreNumAiv();
  t.part_columns = static_cast<uint32_t>(Least(t.columns, kWidest));
  t.pitch = UpTo(t.part_columns, kStep);
  t.part_rows = static_cast<uint32_t>(Least(t.rows, room / t.pitch));
  while (PartsOf(t) < cores && t.part_rows > 1)
    t.part_rows = static_cast<uint32_t>(CeilDiv(t.part_rows, 2));
  while (PartsOf(t) < cores && t.part_columns > kNarrowest) Halve(t.part_columns);
  t.pitch = UpTo(t.part_columns, kStep);
  return SetCubeInSlots(platform, dtype, rows, wide, Most(t.inputs, t.columns), t.cube);
}

// kBias: the place of an optional bias among the inputs; -1: there is none.
template <uint64_t kGates, int kBias>
ge::graphStatus Tiling(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const gert::Shape& h = context->GetInputShape(1)->GetStorageShape();
  auto& t = *context->GetTilingData<RecurrentCellTiling>();
  t = {};
  t.rows = static_cast<uint64_t>(h.GetDim(0));
  t.columns = static_cast<uint64_t>(h.GetDim(1));
  t.inputs = static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetDim(1));
  t.has_bias = kBias >= 0 && context->GetOptionalInputShape(kBias) != nullptr ? 1 : 0;
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  const uint64_t cores = platform.GetCoreNumAiv();
  if (HasCubeCores(platform)) {
    if (!SetStored(platform, dtype, ub_bytes, kGates, t)) return ge::GRAPH_FAILED;
    const uint64_t blocks = Most(TasksOf(t, kGates), CeilDiv(PartsOf(t), kVectorCores));
    context->SetBlockDim(static_cast<uint32_t>(Least(blocks, platform.GetCoreNumAic())));
    context->SetTilingKey(1);
    context->GetWorkspaceSizes(1)[0] =
        platform.GetLibApiWorkSpaceSize() + 2 * t.rows * kGates * t.columns * sizeof(float);
    return ge::GRAPH_SUCCESS;
  }
  SetParts(ub_bytes, bytes, cores, t);
  t.pitch = t.part_columns;
  if (!SetCube(platform, dtype, t.part_rows, t.part_columns, Most(t.inputs, t.columns), t.cube))
    return ge::GRAPH_FAILED;
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(Least(PartsOf(t), cores), kVectorCores)));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(LstmCell).Tiling(Tiling<4, 5>);
IMPL_OP_OPTILING(GruCell).Tiling(Tiling<3, -1>);
