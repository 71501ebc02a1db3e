#include "gemm_tiling.h"

static ge::graphStatus TilingGemm(gert::TilingContext* context) {
  const auto* attrs = context->GetAttrs();
  matmul::Needs needs;
  needs.bias_input = -1;  // c comes with the epilogue
  needs.a_turned = *attrs->GetInt(2) != 0;
  needs.b_turned = *attrs->GetInt(3) != 0;
  optiling::GemmTilingData data;
  if (matmul::Plan(context, data.plan, needs) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  data.set_alpha(*attrs->GetFloat(0));
  data.set_beta(*attrs->GetFloat(1));
  data.set_has_c(context->GetOptionalInputShape(2) != nullptr ? 1 : 0);
  return matmul::Save(context, data);
}

IMPL_OP_OPTILING(Gemm).Tiling(TilingGemm);
