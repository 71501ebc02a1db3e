#include "quant_mat_mul_requant_tiling.h"

#include "activation_place.h"

static ge::graphStatus TilingQuantMatMulRequant(gert::TilingContext* context) {
  constexpr size_t kScale = 2, kBias = 4, kFactor = 5;
  const uint32_t which = bend::PlaceOf(context->GetAttrs()->GetStr(0));
  matmul::Needs needs;
  // Rows of int8 begin blocks where those of sums need not: the results take up to twice the room.
  needs.scratch = bend::ScratchOf(which) + sizeof(int8_t);
  needs.bias_input = kBias;
  optiling::QuantMatMulRequantTilingData data;
  if (matmul::Plan(context, data.plan, needs) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  data.set_which(which);
  data.set_one_scale(context->GetInputShape(kScale)->GetStorageShape().GetDim(0) == 1 ? 1 : 0);
  data.set_has_factor(context->GetOptionalInputShape(kFactor) != nullptr ? 1 : 0);
  data.set_reserved(0);
  return matmul::Save(context, data);
}

IMPL_OP_OPTILING(QuantMatMulRequant).Tiling(TilingQuantMatMulRequant);
