#include "gemm_scaled_tiling.h"

static ge::graphStatus TilingGemmScaled(gert::TilingContext* context) {
  const auto* attrs = context->GetAttrs();
  matmul::Needs needs;
  needs.bias_input = -1;                          // c comes with the epilogue
  needs.scratch = sizeof(float) + sizeof(float);  // c as it is stored, and in float
  needs.a_turned = *attrs->GetBool(0);
  needs.b_turned = *attrs->GetBool(1);
  optiling::GemmScaledTilingData data;
  if (matmul::Plan(context, data.plan, needs) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  return matmul::Save(context, data);
}

IMPL_OP_OPTILING(GEMM).Tiling(TilingGemmScaled);
