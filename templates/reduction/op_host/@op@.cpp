// Tiling of @OP@: rows_plan.h gives every core whole rows.
#include "rows_plan.h"

static ge::graphStatus Tiling@OP@(gert::TilingContext* context) {
  rows::Needs needs;
  needs.numbers = 1;     // kNumbers of the formula
  needs.per_row = true;  // the output holds a number for every row
  return rows::Plan(context, *context->GetTilingData<RowsTiling>(), needs);
}

IMPL_OP_OPTILING(@OP@).Tiling(Tiling@OP@);
