#include "parts_plan.h"

static ge::graphStatus TilingSplit(gert::TilingContext* context) {
  const auto* split = context->GetAttrs()->GetListInt(0);
  const auto axis = static_cast<size_t>(*context->GetAttrs()->GetInt(1));
  const std::vector<int64_t> sizes(split->GetData(), split->GetData() + split->GetSize());
  return parts::Plan(context, context->GetInputShape(0)->GetStorageShape(), axis, sizes);
}

IMPL_OP_OPTILING(Split).Tiling(TilingSplit);
