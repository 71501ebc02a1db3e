#include "../op_kernel/quant_conv_dequant_tiling.h"
#include "activation_place.h"
#include "conv_plan.h"

static ge::graphStatus TilingQuantConvDequant(gert::TilingContext* context) {
  constexpr size_t kScale = 2, kActivation = 3;
  auto* tiling = context->GetTilingData<QuantConvDequantTilingData>();
  tiling->which = bend::PlaceOf(context->GetAttrs()->GetStr(kActivation));
  const gert::Shape& scale = context->GetInputShape(kScale)->GetStorageShape();
  tiling->one_scale = scale.GetDim(0) == 1 ? 1 : 0;
  conv::Places places;
  places.bias = 3;
  return conv::Plan(context, tiling->conv, places);
}

IMPL_OP_OPTILING(QuantConvDequant).Tiling(TilingQuantConvDequant);
