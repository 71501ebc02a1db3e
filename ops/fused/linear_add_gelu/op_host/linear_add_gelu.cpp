#include "linear_add_gelu_tiling.h"

#include <cstring>

static ge::graphStatus TilingLinearAddGelu(gert::TilingContext* context) {
  matmul::Needs needs;
  needs.scratch = 2 * sizeof(float);
  optiling::LinearAddGeluTilingData data;
  if (matmul::Plan(context, data.plan, needs) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  data.set_by_tanh(std::strcmp(context->GetAttrs()->GetStr(0), "tanh") == 0 ? 1 : 0);
  data.set_reserved(0);
  return matmul::Save(context, data);
}

IMPL_OP_OPTILING(LinearAddGelu).Tiling(TilingLinearAddGelu);
