#include "by_hand_plan.h"

using elementwise::Tiling;
using elementwise::TilingByHand;

// Plans integers: int16 is computed in types of four bytes.
template <uint64_t kScratch>
ge::graphStatus TilingWholes(gert::TilingContext* context) {
  constexpr uint64_t kWidened = 3 * sizeof(float);
  const bool narrow = context->GetInputDesc(0)->GetDataType() == ge::DT_INT16;
  return elementwise::Plan(context, *context->GetTilingData<ElementwiseTiling>(),
                           {kScratch + (narrow ? kWidened : 0)});
}

// Plans formulas that compute int64 by words, in memory of their own.
template <uint64_t kScratch>
ge::graphStatus TilingWords(gert::TilingContext* context) {
  const bool wide = context->GetInputDesc(0)->GetDataType() == ge::DT_INT64;
  return elementwise::Plan(context, *context->GetTilingData<ElementwiseTiling>(),
                           {wide ? kScratch : 0});
}

// Plans remainders of floats: those of halves need less memory.
ge::graphStatus TilingMod(gert::TilingContext* context) {
  const bool halves = context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT16;
  return halves ? Tiling<12, true>(context) : Tiling<28, true>(context);
}

IMPL_OP_OPTILING(Add).Tiling(TilingWords<24>);
IMPL_OP_OPTILING(Sub).Tiling(TilingWords<24>);
IMPL_OP_OPTILING(Mul).Tiling(TilingWords<16>);
IMPL_OP_OPTILING(Div).Tiling(Tiling<0, true>);
IMPL_OP_OPTILING(Pow).Tiling(TilingByHand<28>);
IMPL_OP_OPTILING(Maximum).Tiling(TilingWords<28>);
IMPL_OP_OPTILING(Minimum).Tiling(TilingWords<28>);
IMPL_OP_OPTILING(And).Tiling(Tiling<>);
IMPL_OP_OPTILING(Or).Tiling(Tiling<>);
IMPL_OP_OPTILING(Xor).Tiling(Tiling<>);
IMPL_OP_OPTILING(Mod).Tiling(TilingMod);
IMPL_OP_OPTILING(TruncateMod).Tiling(TilingWholes<12>);
IMPL_OP_OPTILING(FloorMod).Tiling(TilingWholes<12>);
