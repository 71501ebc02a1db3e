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

void SetParts(uint64_t ub_bytes, uint64_t bytes, uint64_t cores, RecurrentCellTiling& t) {
  // Sums, four parts and a state in float; a state in and out as it is stored.
  const uint64_t element = 6 * sizeof(float) + 2 * bytes;
  const uint64_t room = ub_bytes * kUbPercent / 100 / element;
  SetBlock(t.rows, t.columns, room, t.part_rows, t.part_columns);
  while (PartsOf(t) < cores && t.part_columns > LeastColumns(bytes)) Halve(t.part_columns);
}

// kBias: the place of an optional bias among the inputs; -1: there is none.
template <int kBias>
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
  SetParts(ub_bytes, bytes, cores, t);
  if (!SetCube(platform, dtype, t.part_rows, t.part_columns, Most(t.inputs, t.columns), t.cube))
    return ge::GRAPH_FAILED;
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(Least(PartsOf(t), cores), kVectorCores)));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(LstmCell).Tiling(Tiling<5>);
IMPL_OP_OPTILING(GruCell).Tiling(Tiling<-1>);
