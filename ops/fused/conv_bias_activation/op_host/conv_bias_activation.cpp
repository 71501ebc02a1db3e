#include "../op_kernel/conv_bias_activation_tiling.h"

#include "bending_plan.h"
#include "conv_plan.h"

namespace {

constexpr size_t kAddend = 3;                                      // numbers the input
constexpr size_t kActivation = 3, kMin = 4, kMax = 5, kAlpha = 6;  // number the attributes

ge::graphStatus TilingConvBiasActivation(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<ConvBiasActivationTilingData>();
  const gert::RuntimeAttrs* attrs = context->GetAttrs();
  tiling->which = bend::NumberOf(attrs->GetStr(kActivation));
  tiling->least = *attrs->GetFloat(kMin);
  tiling->most = *attrs->GetFloat(kMax);
  tiling->alpha = *attrs->GetFloat(kAlpha);
  tiling->reserved = 0;
  conv::Work work;
  work.reads = context->GetOptionalInputShape(kAddend) != nullptr;
  work.on_vector_cores = work.reads || tiling->which > kBendRelu;
  // Where vector cores finish, the estimate of a tile errs by more than their starts.
  if (!work.on_vector_cores) work.block_start = 2 * conv::kCoreStart;
  work.slot_bytes =
      static_cast<uint32_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  return conv::Plan(context, tiling->conv, {}, work);
}

}  // namespace

IMPL_OP_OPTILING(ConvBiasActivation).Tiling(TilingConvBiasActivation);
