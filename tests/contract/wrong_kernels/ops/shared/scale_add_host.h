// Tiling of z = x * alpha + y: every vector core takes a share; a share passes through UB in tiles.
#ifndef WRONG_KERNELS_SHARED_SCALE_ADD_HOST_H_
#define WRONG_KERNELS_SHARED_SCALE_ADD_HOST_H_

#include "register/op_impl_registry.h"
#include "scale_add_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {

inline ge::graphStatus TilingScaleAdd(gert::TilingContext* context) {
  constexpr uint64_t kStep = 8;         // elements of 32 bytes
  constexpr uint64_t kLeast = 512;      // elements of a core
  constexpr uint64_t kMostTile = 4096;  // elements; three queues of two buffers fit into UB
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const uint64_t cores = platform.GetCoreNumAiv();
  const auto total =
      static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  const uint64_t share = (total + cores - 1) / cores;
  auto* tiling = context->GetTilingData<ScaleAddTilingData>();
  tiling->total = total;
  tiling->per_core = (share > kLeast ? share + kStep - 1 : kLeast) / kStep * kStep;
  tiling->tile = static_cast<uint32_t>(tiling->per_core < kMostTile ? tiling->per_core : kMostTile);
  tiling->alpha = *context->GetAttrs()->GetFloat(0);
  const uint64_t blocks = (total + tiling->per_core - 1) / tiling->per_core;
  context->SetBlockDim(static_cast<uint32_t>(blocks > 0 ? blocks : 1));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

#endif  // WRONG_KERNELS_SHARED_SCALE_ADD_HOST_H_
