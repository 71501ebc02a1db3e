#include "../op_kernel/scale_relu_dropout_tiling.h"
#include "elementwise_plan.h"

static ge::graphStatus TilingScaleReluDropout(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<ScaleReluDropoutTilingData>();
  tiling->scale = *context->GetAttrs()->GetFloat(0);
  tiling->keep_prob = *context->GetAttrs()->GetFloat(1);
  return elementwise::Plan(context, tiling->view, {kScaleReluDropoutScratch, true});
}

IMPL_OP_OPTILING(ScaleReluDropout).Tiling(TilingScaleReluDropout);
