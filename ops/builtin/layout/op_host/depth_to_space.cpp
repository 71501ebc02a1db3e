#include "layout_plan.h"

// Channel (i * block + j) * channels + c is pixel (i, j) of a block of channel c.
static ge::graphStatus TilingDepthToSpace(gert::TilingContext* context) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  const std::vector<uint64_t> of_x = layout::StridesOf(x), of_y = layout::StridesOf(y);
  const auto size = [](const gert::Shape& shape, size_t i) {
    return static_cast<uint64_t>(shape.GetDim(i));
  };
  const auto block = static_cast<uint64_t>(*context->GetAttrs()->GetInt(0));
  const uint64_t channels = size(y, 1);
  return layout::Plan(context, *context->GetTilingData<LayoutTiling>(),
                      {{size(x, 0), of_x[0], of_y[0]},
                       {channels, of_x[1], of_y[1]},
                       {size(x, 2), of_x[2], of_y[2] * block},
                       {block, of_x[1] * channels * block, of_y[2]},
                       {size(x, 3), of_x[3], of_y[3] * block},
                       {block, of_x[1] * channels, of_y[3]}});
}

IMPL_OP_OPTILING(DepthToSpace).Tiling(TilingDepthToSpace);
