#include "elementwise_plan.h"

namespace {

// Integers are compared by words: parts of four bytes for each element, more for int64.
template <uint64_t kParts, uint64_t kWideParts>
ge::graphStatus TilingCompare(gert::TilingContext* context) {
  constexpr uint64_t kWord = 4;
  auto& tiling = *context->GetTilingData<ElementwiseTiling>();
  switch (context->GetInputDesc(0)->GetDataType()) {
    case ge::DT_INT32: return elementwise::Plan(context, tiling, {kParts * kWord});
    case ge::DT_INT64: return elementwise::Plan(context, tiling, {kWideParts * kWord});
    default: return elementwise::Plan(context, tiling, {1, true});
  }
}

}  // namespace

IMPL_OP_OPTILING(Equal).Tiling(TilingCompare<1, 2>);
IMPL_OP_OPTILING(Greater).Tiling(TilingCompare<3, 6>);
IMPL_OP_OPTILING(GreaterOrEqual).Tiling(TilingCompare<3, 6>);
IMPL_OP_OPTILING(Less).Tiling(TilingCompare<3, 6>);
IMPL_OP_OPTILING(LessOrEqual).Tiling(TilingCompare<3, 6>);
