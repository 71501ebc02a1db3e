// Tiling of @OP@: every core gets the same number of indices.
#include "register/op_impl_registry.h"  // first: the SDK holds it precompiled

#include "../op_kernel/@op@_tiling.h"
#include "tiling/platform/platform_ascendc.h"
#include "tuning.h"

static ge::graphStatus Tiling@OP@(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const uint64_t cores = tuning::KnobUpTo(context, "cores", platform.GetCoreNumAiv());
  const gert::Shape& table = context->GetInputShape(0)->GetStorageShape();
  auto* tiling = context->GetTilingData<@OP@TilingData>();
  tiling->table_rows = static_cast<uint64_t>(table.GetDim(0));
  tiling->columns = static_cast<uint32_t>(table.GetDim(1));
  tiling->rows = static_cast<uint64_t>(context->GetInputShape(1)->GetStorageShape().GetDim(0));
  const uint64_t batches = (tiling->rows + kBatch - 1) / kBatch;
  tiling->core_rows = (batches + cores - 1) / cores * kBatch;
  context->SetBlockDim(
      static_cast<uint32_t>((tiling->rows + tiling->core_rows - 1) / tiling->core_rows));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(@OP@).Tiling(Tiling@OP@);
