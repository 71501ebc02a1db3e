#include "by_hand_plan.h"

using elementwise::Tiling;
using elementwise::TilingByHand;

namespace {

// Plans formulas that compute int64 by words, in memory of their own.
ge::graphStatus TilingSign(gert::TilingContext* context) {
  constexpr uint64_t kScratch = 20;
  const bool wide = context->GetInputDesc(0)->GetDataType() == ge::DT_INT64;
  return elementwise::Plan(context, *context->GetTilingData<ElementwiseTiling>(),
                           {wide ? kScratch : 0});
}

}  // namespace

IMPL_OP_OPTILING(Abs).Tiling(TilingSign);
IMPL_OP_OPTILING(Neg).Tiling(TilingSign);
IMPL_OP_OPTILING(Relu).Tiling(Tiling<>);
IMPL_OP_OPTILING(Exp).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Log).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Sqrt).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Reciprocal).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Rsqrt).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Sigmoid).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Silu).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Tanh).Tiling(TilingByHand<0>);
IMPL_OP_OPTILING(Erf).Tiling(Tiling<8, true>);
IMPL_OP_OPTILING(Gelu).Tiling(Tiling<4, true>);
IMPL_OP_OPTILING(GeluTanh).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Floor).Tiling(TilingByHand<1>);
IMPL_OP_OPTILING(Ceil).Tiling(TilingByHand<1>);
IMPL_OP_OPTILING(Round).Tiling(TilingByHand<1>);
IMPL_OP_OPTILING(Sin).Tiling(TilingByHand<20>);
IMPL_OP_OPTILING(Cos).Tiling(TilingByHand<20>);
IMPL_OP_OPTILING(Sign).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Softplus).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(HardSwish).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Mish).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Softsign).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Not).Tiling(Tiling<>);
