// Tiling of @OP@: elementwise_plan.h cuts the tensors; the op adds its attribute.
#include "register/op_impl_registry.h"  // first: the SDK holds it precompiled

#include "../op_kernel/@op@_tiling.h"
#include "elementwise_plan.h"

static ge::graphStatus Tiling@OP@(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<@OP@TilingData>();
  tiling->alpha = *context->GetAttrs()->GetFloat(0);
  return elementwise::Plan(context, tiling->view);
}

IMPL_OP_OPTILING(@OP@).Tiling(Tiling@OP@);
