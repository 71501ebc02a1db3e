#include "../op_kernel/right_negate_all_tiling.h"
#include "register/op_impl_registry.h"

namespace optiling {
static ge::graphStatus TilingNegateAll(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<NegateAllTilingData>();
  const auto* list = context->GetIrInputInstanceInfo(0);
  tiling->shifted = context->GetOptionalInputShape(1) != nullptr ? 1 : 0;
  context->SetBlockDim(static_cast<uint32_t>(list->GetInstanceNum()));
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

IMPL_OP_OPTILING(RightNegateAll).Tiling(optiling::TilingNegateAll);
