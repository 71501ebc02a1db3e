#include "rows_plan.h"

static ge::graphStatus TilingDynamicQuant(gert::TilingContext* context) {
  rows::Needs needs;
  needs.reports = true;
  const ge::graphStatus done = rows::Plan(context, *context->GetTilingData<RowsTiling>(), needs);
  context->SetTilingKey(context->GetOptionalInputShape(1) != nullptr ? 1 : 0);
  return done;
}

IMPL_OP_OPTILING(DynamicQuant).Tiling(TilingDynamicQuant);
