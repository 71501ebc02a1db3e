#include "mat_mul_add_activation_tiling.h"

#include "activation_place.h"

static ge::graphStatus TilingMatMulAddActivation(gert::TilingContext* context) {
  const uint32_t which = bend::PlaceOf(context->GetAttrs()->GetStr(0));
  matmul::Needs needs;
  needs.scratch = bend::kActivationScratch;
  needs.is_plain = which == bend::kRelu;
  optiling::MatMulAddActivationTilingData data;
  if (matmul::Plan(context, data.plan, needs) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  data.set_which(which);
  data.set_reserved(0);
  return matmul::Save(context, data);
}

IMPL_OP_OPTILING(MatMulAddActivation).Tiling(TilingMatMulAddActivation);
