#include "../op_kernel/conv_leaky_relu_tiling.h"
#include "conv_dense_plan.h"

static ge::graphStatus TilingConvLeakyRelu(gert::TilingContext* context) {
  constexpr size_t kAlpha = 4;
  auto* tiling = context->GetTilingData<ConvLeakyReluTilingData>();
  tiling->alpha = *context->GetAttrs()->GetFloat(kAlpha);
  tiling->reserved = 0;
  return conv_dense::Plan(context, tiling->conv, {});
}

IMPL_OP_OPTILING(ConvLeakyRelu).Tiling(TilingConvLeakyRelu);
