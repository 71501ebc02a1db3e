#include "layout_plan.h"

// Pixel (i, j) of a block of channel c is channel (i * block + j) * channels + c.
static ge::graphStatus TilingSpaceToDepth(gert::TilingContext* context) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  const std::vector<uint64_t> of_x = layout::StridesOf(x), of_y = layout::StridesOf(y);
  const auto size = [](const gert::Shape& shape, size_t i) {
    return static_cast<uint64_t>(shape.GetDim(i));
  };
  const auto block = static_cast<uint64_t>(*context->GetAttrs()->GetInt(0));
  const uint64_t channels = size(x, 1);
  return layout::Plan(context, *context->GetTilingData<LayoutTiling>(),
                      {{size(y, 0), of_x[0], of_y[0]},
                       {block, of_x[2], of_y[1] * channels * block},
                       {block, of_x[3], of_y[1] * channels},
                       {channels, of_x[1], of_y[1]},
                       {size(y, 2), of_x[2] * block, of_y[2]},
                       {size(y, 3), of_x[3] * block, of_y[3]}});
}

IMPL_OP_OPTILING(SpaceToDepth).Tiling(TilingSpaceToDepth);
