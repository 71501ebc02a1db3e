#include "elementwise_plan.h"

namespace {

// A bit of each element's condition, or its word for int64.
ge::graphStatus TilingWhere(gert::TilingContext* context) {
  const bool wide = context->GetInputDesc(1)->GetDataType() == ge::DT_INT64;
  return elementwise::Plan(context, *context->GetTilingData<ElementwiseTiling>(),
                           {wide ? uint64_t{4} : uint64_t{1}});
}

}  // namespace

IMPL_OP_OPTILING(Where).Tiling(TilingWhere);
