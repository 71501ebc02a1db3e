#include "layout_plan.h"

// Every dim of y is a dim of x within one that repeats it: nothing lies between its elements in x.
static ge::graphStatus TilingTile(gert::TilingContext* context) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  const auto* repeats = context->GetAttrs()->GetListInt(0);
  const std::vector<uint64_t> of_x = layout::StridesOf(x), of_y = layout::StridesOf(y);
  layout::Dims dims;
  for (size_t i = 0; i < of_x.size(); ++i) {
    const auto size = static_cast<uint64_t>(x.GetDim(i));
    dims.push_back({static_cast<uint64_t>(repeats->GetData()[i]), 0, of_y[i] * size});
    dims.push_back({size, of_x[i], of_y[i]});
  }
  return layout::Plan(context, *context->GetTilingData<LayoutTiling>(), dims);
}

IMPL_OP_OPTILING(Tile).Tiling(TilingTile);
