#include "../op_kernel/layer_normalization_tiling.h"
#include "rows_plan.h"

static ge::graphStatus TilingLayerNormalization(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<LayerNormalizationTilingData>();
  tiling->epsilon = *context->GetAttrs()->GetFloat(0);
  rows::Needs needs;
  needs.numbers = 2;
  return rows::Plan(context, tiling->rows, needs);
}

IMPL_OP_OPTILING(LayerNormalization).Tiling(TilingLayerNormalization);
