#include "../op_kernel/numbers_tiling.h"
#include "elementwise_plan.h"

template <uint64_t kScratch = 0>
ge::graphStatus TilingNumbers(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<NumbersTilingData>();
  const auto* attrs = context->GetAttrs();
  const size_t given = attrs->GetAttrNum();
  if (given > kMostNumbers) return ge::GRAPH_FAILED;
  for (size_t i = 0; i < kMostNumbers; ++i)
    tiling->number[i] = i < given ? *attrs->GetFloat(i) : 0.0f;
  return elementwise::Plan(context, tiling->view, {kScratch, true});
}

IMPL_OP_OPTILING(Clip).Tiling(TilingNumbers<>);
IMPL_OP_OPTILING(LeakyRelu).Tiling(TilingNumbers<>);
IMPL_OP_OPTILING(Elu).Tiling(TilingNumbers<>);
IMPL_OP_OPTILING(Celu).Tiling(TilingNumbers<>);
IMPL_OP_OPTILING(Selu).Tiling(TilingNumbers<>);
IMPL_OP_OPTILING(HardSigmoid).Tiling(TilingNumbers<>);
IMPL_OP_OPTILING(ThresholdedRelu).Tiling(TilingNumbers<1>);
IMPL_OP_OPTILING(Shrink).Tiling(TilingNumbers<1>);
