#include "layout_plan.h"

// Returns a position of a dim, counted from the front and within it.
static uint64_t Within(int64_t position, int64_t size) {
  if (position < 0) position = position < -size ? 0 : position + size;
  return static_cast<uint64_t>(position < size ? position : size);
}

static ge::graphStatus TilingSlice(gert::TilingContext* context) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  const auto* starts = context->GetAttrs()->GetListInt(0);
  const auto* axes = context->GetAttrs()->GetListInt(2);
  const auto* steps = context->GetAttrs()->GetListInt(3);
  const std::vector<uint64_t> of_x = layout::StridesOf(x), of_y = layout::StridesOf(y);
  layout::Dims dims;
  for (size_t i = 0; i < of_y.size(); ++i)
    dims.push_back({static_cast<uint64_t>(y.GetDim(i)), of_x[i], of_y[i]});
  layout::First first;
  for (size_t i = 0; i < axes->GetSize(); ++i) {
    const auto axis = static_cast<size_t>(axes->GetData()[i]);
    first.x += Within(starts->GetData()[i], x.GetDim(axis)) * of_x[axis];
    dims[axis].x *= static_cast<uint64_t>(steps->GetData()[i]);
  }
  return layout::Plan(context, *context->GetTilingData<LayoutTiling>(), dims, first);
}

IMPL_OP_OPTILING(Slice).Tiling(TilingSlice);
