// Tiling of @OP@: a block for each cube core, with room for one tile in the workspace.
#include "register/op_impl_registry.h"  // first: the SDK holds it precompiled

#include "../op_kernel/@op@_tiling.h"
#include "tiling/platform/platform_ascendc.h"
#include "tuning.h"

static ge::graphStatus Tiling@OP@(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const gert::Shape& a = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& b = context->GetInputShape(1)->GetStorageShape();
  auto* tiling = context->GetTilingData<@OP@TilingData>();
  tiling->m = static_cast<uint32_t>(a.GetDim(0));
  tiling->k = static_cast<uint32_t>(a.GetDim(1));
  tiling->n = static_cast<uint32_t>(b.GetDim(1));
  const uint32_t tiles = (tiling->m + kTile - 1) / kTile * ((tiling->n + kTile - 1) / kTile);
  const auto cores =
      static_cast<uint32_t>(tuning::KnobUpTo(context, "cores", platform.GetCoreNumAic()));
  const uint32_t blocks = tiles < cores ? tiles : cores;
  context->SetBlockDim(blocks);
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] =
      platform.GetLibApiWorkSpaceSize() + blocks * kTile * kTile * sizeof(float);
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(@OP@).Tiling(Tiling@OP@);
