// Tiling of @OP@: matmul_plan.h cuts the product; the op adds its attributes.
#include "@op@_tiling.h"

static ge::graphStatus Tiling@OP@(gert::TilingContext* context) {
  optiling::@OP@TilingData data;
  if (matmul::Plan(context, data.plan) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  return matmul::Save(context, data);
}

IMPL_OP_OPTILING(@OP@).Tiling(Tiling@OP@);
