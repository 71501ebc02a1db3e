#include "conv_dense_plan.h"

static ge::graphStatus TilingConv(gert::TilingContext* context) {
  return conv_dense::Plan(context, *context->GetTilingData<ConvDenseTiling>(), {});
}

IMPL_OP_OPTILING(Conv).Tiling(TilingConv);
