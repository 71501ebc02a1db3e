#include "mat_mul_add_activation_tiling.h"

#include <cstring>

namespace {

// The place of the attribute among those that the kernel knows.
uint32_t Which(const char* activation) {
  const char* const known[] = {"relu", "sigmoid", "tanh", "silu"};
  uint32_t which = 0;
  while (which < 3 && std::strcmp(known[which], activation) != 0) ++which;
  return which;
}

ge::graphStatus TilingMatMulAddActivation(gert::TilingContext* context) {
  matmul::Needs needs;
  needs.scratch = 2 * sizeof(float);
  optiling::MatMulAddActivationTilingData data;
  if (matmul::Plan(context, data.plan, needs) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  data.set_which(Which(context->GetAttrs()->GetStr(0)));
  data.set_reserved(0);
  return matmul::Save(context, data);
}

}  // namespace

IMPL_OP_OPTILING(MatMulAddActivation).Tiling(TilingMatMulAddActivation);
