#include "image_pool_plan.h"

namespace {

// A block of 32 bytes to a pixel, twice.
ge::graphStatus TilingImageMaxPool(gert::TilingContext* context) {
  auto& t = *context->GetTilingData<ImagePoolTiling>();
  t = {};
  image_pool::SetSizes(context, {0, 1, 2, 3}, t);
  return image_pool::Plan(context, {64, 64, 0}, t);
}

// And in float: the padded rows and sums, and three rows for the numbers that sums are divided by.
ge::graphStatus TilingImageAveragePool(gert::TilingContext* context) {
  auto& t = *context->GetTilingData<ImagePoolTiling>();
  t = {};
  image_pool::SetSizes(context, {0, 1, 2, -1}, t);
  t.counts_padding = *context->GetAttrs()->GetInt(3) != 0 ? 1 : 0;
  const bool widens = context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT16;
  const uint64_t pixel = widens ? 64 : 32;  // counts bytes of a pixel in float
  return image_pool::Plan(context, {64 + (widens ? 64u : 0u), 64 + (widens ? 64u : 0u), 3 * pixel},
                          t);
}

}  // namespace

IMPL_OP_OPTILING(ImageMaxPool).Tiling(TilingImageMaxPool);
IMPL_OP_OPTILING(ImageAveragePool).Tiling(TilingImageAveragePool);
