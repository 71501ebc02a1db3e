#include "rows_plan.h"

static ge::graphStatus TilingSoftmax(gert::TilingContext* context) {
  rows::Needs needs;
  needs.numbers = 2;
  return rows::Plan(context, *context->GetTilingData<RowsTiling>(), needs);
}

IMPL_OP_OPTILING(Softmax).Tiling(TilingSoftmax);
IMPL_OP_OPTILING(LogSoftmax).Tiling(TilingSoftmax);
