#include "../op_kernel/conv_activation_tiling.h"

#include <cstring>

#include "conv_dense_plan.h"

namespace {

constexpr size_t kActivation = 4, kMin = 5, kMax = 6;  // number the attributes

// Returns the place of a name among the contract's.
uint32_t NumberOf(const char* activation) {
  const char* const names[] = {"relu", "clip", "silu", "hard_swish"};
  uint32_t number = 0;
  while (number < kBendHardSwish && std::strcmp(names[number], activation) != 0) ++number;
  return number;
}

ge::graphStatus TilingConvActivation(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<ConvActivationTilingData>();
  const gert::RuntimeAttrs* attrs = context->GetAttrs();
  tiling->which = NumberOf(attrs->GetStr(kActivation));
  tiling->least = *attrs->GetFloat(kMin);
  tiling->most = *attrs->GetFloat(kMax);
  conv_dense::Finish finish;
  finish.scratch = tiling->which >= kBendSilu ? sizeof(float) : 0;
  if (tiling->which >= kBendSilu) finish.cycles = 0.36;
  const ge::graphStatus status = conv_dense::Plan(context, tiling->conv, finish);
  const bool planes = conv_dense::IsPlanes(tiling->conv);
  const uint32_t block = planes ? tiling->conv.window.pixels
                                : static_cast<uint32_t>(tiling->conv.cube.baseM) *
                                      static_cast<uint32_t>(tiling->conv.cube.baseN);
  tiling->work = finish.scratch > 0 ? block : 0;
  return status;
}

}  // namespace

IMPL_OP_OPTILING(ConvActivation).Tiling(TilingConvActivation);
