// Tiling of @OP@: the dims of y, and how far their elements lie apart in x and in y.
#include "layout_plan.h"

static ge::graphStatus Tiling@OP@(gert::TilingContext* context) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  const std::vector<uint64_t> of_x = layout::StridesOf(x), of_y = layout::StridesOf(y);
  const size_t last = y.GetDimNum() - 1;
  layout::Dims dims;
  for (size_t i = 0; i <= last; ++i) {
    const size_t from = i == last ? last - 1 : i + 1 == last ? last : i;
    dims.push_back({static_cast<uint64_t>(y.GetDim(i)), of_x[from], of_y[i]});
  }
  return layout::Plan(context, *context->GetTilingData<LayoutTiling>(), dims);
}

IMPL_OP_OPTILING(@OP@).Tiling(Tiling@OP@);
