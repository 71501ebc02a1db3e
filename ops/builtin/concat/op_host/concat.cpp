#include "parts_plan.h"

static ge::graphStatus TilingConcat(gert::TilingContext* context) {
  const auto axis = static_cast<size_t>(*context->GetAttrs()->GetInt(0));
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < context->GetComputeNodeInputNum(); ++i)
    sizes.push_back(context->GetInputShape(i)->GetStorageShape().GetDim(axis));
  return parts::Plan(context, context->GetOutputShape(0)->GetStorageShape(), axis, sizes);
}

IMPL_OP_OPTILING(Concat).Tiling(TilingConcat);
