#include "norm_plan.h"

// The dims of a channel make a row; rows count channels, then images.
static ge::graphStatus TilingInstanceNormalization(gert::TilingContext* context) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  auto* tiling = context->GetTilingData<NormTiling>();
  tiling->epsilon = *context->GetAttrs()->GetFloat(0);
  tiling->reserved = 0;
  rows::Needs needs;
  needs.numbers = 2;
  needs.given = 2;
  needs.dims = x.GetDimNum() - 2;
  const ge::graphStatus status = rows::Plan(context, tiling->rows, needs);
  rows::SetChannels(static_cast<uint64_t>(x.GetDim(1)), needs, tiling->rows.view);
  return status;
}

IMPL_OP_OPTILING(InstanceNormalization).Tiling(TilingInstanceNormalization);
