#include "../op_kernel/conv_bias_leaky_relu_tiling.h"
#include "conv_plan.h"

static ge::graphStatus TilingConvBiasLeakyRelu(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<ConvBiasLeakyReluTilingData>();
  tiling->alpha = *context->GetAttrs()->GetFloat(3);
  tiling->reserved = 0;
  return conv::Plan(context, tiling->conv);
}

IMPL_OP_OPTILING(ConvBiasLeakyRelu).Tiling(TilingConvBiasLeakyRelu);
