#include "../op_kernel/batch_normalization_tiling.h"
#include "elementwise_plan.h"

static ge::graphStatus TilingBatchNormalization(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<BatchNormalizationTilingData>();
  tiling->epsilon = *context->GetAttrs()->GetFloat(0);
  tiling->reserved = 0;
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const auto images = static_cast<uint64_t>(x.GetDim(0)),
             channels = static_cast<uint64_t>(x.GetDim(1));
  uint64_t pixels = 1;
  for (size_t d = 2; d < x.GetDimNum(); ++d) pixels *= static_cast<uint64_t>(x.GetDim(d));
  std::vector<elementwise::Dim> dims;
  elementwise::AddDim(dims, {pixels, {1, 0, 0, 0, 0}});
  elementwise::AddDim(dims, {channels, {pixels, 1, 1, 1, 1}});
  elementwise::AddDim(dims, {images, {pixels * channels, 0, 0, 0, 0}});
  return elementwise::PlanDims(context, tiling->view, dims, {0, true});
}

IMPL_OP_OPTILING(BatchNormalization).Tiling(TilingBatchNormalization);
