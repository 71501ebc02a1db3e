#include "mat_mul_integer_tiling.h"

static ge::graphStatus TilingMatMulInteger(gert::TilingContext* context) {
  optiling::MatMulIntegerTilingData data;
  matmul::Needs needs;
  needs.bias_input = -1;
  needs.is_plain = true;
  if (matmul::Plan(context, data.plan, needs) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  return matmul::Save(context, data);
}

IMPL_OP_OPTILING(MatMulInteger).Tiling(TilingMatMulInteger);
