#include "matmul_leaky_relu_tiling.h"

static ge::graphStatus TilingMatmulLeakyRelu(gert::TilingContext* context) {
  optiling::MatmulLeakyReluTilingData data;
  if (matmul::Plan(context, data.plan) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  data.set_slope(*context->GetAttrs()->GetFloat(0));
  return matmul::Save(context, data);
}

IMPL_OP_OPTILING(MatmulLeakyRelu).Tiling(TilingMatmulLeakyRelu);
