#include "layout_plan.h"

static ge::graphStatus TilingTranspose(gert::TilingContext* context) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  const auto* perm = context->GetAttrs()->GetListInt(0);
  const std::vector<uint64_t> of_x = layout::StridesOf(x), of_y = layout::StridesOf(y);
  layout::Dims dims;
  for (size_t i = 0; i < of_y.size(); ++i)
    dims.push_back({static_cast<uint64_t>(y.GetDim(i)), of_x[perm->GetData()[i]], of_y[i]});
  return layout::Plan(context, *context->GetTilingData<LayoutTiling>(), dims);
}

IMPL_OP_OPTILING(Transpose).Tiling(TilingTranspose);
