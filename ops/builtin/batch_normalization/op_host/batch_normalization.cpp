#include "../op_kernel/batch_normalization_tiling.h"
#include "rows_plan.h"

namespace {

constexpr uint64_t kChannelsKey = 1;
constexpr uint64_t kLeastPixels = 64;  // repay a row of their own: a repeat of floats

ge::graphStatus PlanChannels(gert::TilingContext* context, uint64_t dims, uint64_t channels,
                             RowsTiling& tiling) {
  rows::Needs needs;
  needs.numbers = 0;
  needs.given = 4;
  needs.dims = dims;
  const ge::graphStatus status = rows::Plan(context, tiling, needs);
  rows::SetChannels(channels, needs, tiling.view);
  context->SetTilingKey(kChannelsKey);
  return status;
}

ge::graphStatus PlanElements(gert::TilingContext* context, uint64_t images, uint64_t channels,
                             uint64_t pixels, ElementwiseTiling& tiling) {
  std::vector<elementwise::Dim> dims;
  elementwise::AddDim(dims, {pixels, {1, 0, 0, 0, 0}});
  elementwise::AddDim(dims, {channels, {pixels, 1, 1, 1, 1}});
  elementwise::AddDim(dims, {images, {pixels * channels, 0, 0, 0, 0}});
  return elementwise::PlanDims(context, tiling, dims, {0, true});
}

ge::graphStatus TilingBatchNormalization(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<BatchNormalizationTilingData>();
  tiling->epsilon = *context->GetAttrs()->GetFloat(0);
  tiling->reserved = 0;
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const auto images = static_cast<uint64_t>(x.GetDim(0)),
             channels = static_cast<uint64_t>(x.GetDim(1));
  uint64_t pixels = 1;
  for (size_t d = 2; d < x.GetDimNum(); ++d) pixels *= static_cast<uint64_t>(x.GetDim(d));
  return pixels >= kLeastPixels && channels > 0
             ? PlanChannels(context, x.GetDimNum() - 2, channels, tiling->rows)
             : PlanElements(context, images, channels, pixels, tiling->rows.view);
}

}  // namespace

IMPL_OP_OPTILING(BatchNormalization).Tiling(TilingBatchNormalization);
