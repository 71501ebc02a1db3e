// Tiling of @OP@: conv_plan.h cuts pixels and channels of y; the places of strides, pads, dilations
// and the bias are those of the contract.
#include "conv_plan.h"

static ge::graphStatus Tiling@OP@(gert::TilingContext* context) {
  return conv::Plan(context, *context->GetTilingData<ConvTiling>());
}

IMPL_OP_OPTILING(@OP@).Tiling(Tiling@OP@);
