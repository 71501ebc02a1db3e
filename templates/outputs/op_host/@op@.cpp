// Tiling of @OP@: every core gets the same number of whole tiles.
#include "register/op_impl_registry.h"  // first: the SDK holds it precompiled

#include "../op_kernel/@op@_tiling.h"
#include "tiling/platform/platform_ascendc.h"
#include "tuning.h"

static ge::graphStatus Tiling@OP@(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const uint64_t cores = tuning::KnobUpTo(context, "cores", platform.GetCoreNumAiv());
  auto* tiling = context->GetTilingData<@OP@TilingData>();
  tiling->elements =
      static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  const uint64_t tiles = (tiling->elements + kTile - 1) / kTile;
  tiling->core_elements = (tiles + cores - 1) / cores * kTile;
  if (tiling->core_elements == 0) tiling->core_elements = kTile;  // an empty tensor
  const uint64_t blocks = (tiling->elements + tiling->core_elements - 1) / tiling->core_elements;
  context->SetBlockDim(blocks == 0 ? 1 : static_cast<uint32_t>(blocks));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(@OP@).Tiling(Tiling@OP@);
