#include "../op_kernel/quant_conv_add_requant_tiling.h"
#include "conv_plan.h"

static ge::graphStatus TilingQuantConvAddRequant(gert::TilingContext* context) {
  constexpr size_t kScale = 2, kBias = 10, kRelu = 3;  // number inputs, and an attribute
  auto* tiling = context->GetTilingData<QuantConvAddRequantTilingData>();
  tiling->relu = *context->GetAttrs()->GetBool(kRelu) ? 1 : 0;
  tiling->one_scale = context->GetInputShape(kScale)->GetStorageShape().GetDim(0) == 1 ? 1 : 0;
  conv::Places places;
  places.bias = kBias;
  conv::Work work;
  work.reads = true;
  return conv::Plan(context, tiling->conv, places, work);
}

IMPL_OP_OPTILING(QuantConvAddRequant).Tiling(TilingQuantConvAddRequant);
