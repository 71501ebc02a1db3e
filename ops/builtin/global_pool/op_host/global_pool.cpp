#include "rows_plan.h"

static ge::graphStatus TilingGlobal(gert::TilingContext* context) {
  rows::Needs needs;
  needs.per_row = true;
  needs.dims = 2;
  return rows::Plan(context, *context->GetTilingData<RowsTiling>(), needs);
}

IMPL_OP_OPTILING(GlobalAveragePool).Tiling(TilingGlobal);
IMPL_OP_OPTILING(GlobalMaxPool).Tiling(TilingGlobal);
