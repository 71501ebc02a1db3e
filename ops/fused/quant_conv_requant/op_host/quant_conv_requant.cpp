#include "../op_kernel/quant_conv_requant_tiling.h"
#include "activation_place.h"
#include "conv_plan.h"

static ge::graphStatus TilingQuantConvRequant(gert::TilingContext* context) {
  constexpr size_t kScale = 2, kBias = 5, kFactor = 6, kActivation = 3;
  auto* tiling = context->GetTilingData<QuantConvRequantTilingData>();
  tiling->which = bend::PlaceOf(context->GetAttrs()->GetStr(kActivation));
  const gert::Shape& scale = context->GetInputShape(kScale)->GetStorageShape();
  tiling->one_scale = scale.GetDim(0) == 1 ? 1 : 0;
  tiling->has_factor = context->GetOptionalInputShape(kFactor) != nullptr ? 1 : 0;
  tiling->reserved = 0;
  conv::Places places;
  places.bias = kBias;
  return conv::Plan(context, tiling->conv, places);
}

IMPL_OP_OPTILING(QuantConvRequant).Tiling(TilingQuantConvRequant);
