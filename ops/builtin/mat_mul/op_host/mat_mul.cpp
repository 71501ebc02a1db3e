#include "mat_mul_tiling.h"

static ge::graphStatus TilingMatMul(gert::TilingContext* context) {
  optiling::MatMulTilingData data;
  matmul::Needs needs;
  needs.bias_input = -1;
  needs.is_plain = true;
  if (matmul::Plan(context, data.plan, needs) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  return matmul::Save(context, data);
}

IMPL_OP_OPTILING(MatMul).Tiling(TilingMatMul);
