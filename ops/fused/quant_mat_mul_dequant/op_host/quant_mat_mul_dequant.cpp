#include "quant_mat_mul_dequant_tiling.h"

#include "activation_place.h"

static ge::graphStatus TilingQuantMatMulDequant(gert::TilingContext* context) {
  constexpr size_t kScale = 2, kBias = 3, kTokenScale = 4;
  const uint32_t which = bend::PlaceOf(context->GetAttrs()->GetStr(0));
  matmul::Needs needs;
  needs.scratch = bend::ScratchOf(which);
  needs.bias_input = kBias;
  optiling::QuantMatMulDequantTilingData data;
  if (matmul::Plan(context, data.plan, needs) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  data.set_which(which);
  data.set_one_scale(context->GetInputShape(kScale)->GetStorageShape().GetDim(0) == 1 ? 1 : 0);
  data.set_has_tokens(context->GetOptionalInputShape(kTokenScale) != nullptr ? 1 : 0);
  data.set_reserved(0);
  return matmul::Save(context, data);
}

IMPL_OP_OPTILING(QuantMatMulDequant).Tiling(TilingQuantMatMulDequant);
