#include "parts_plan.h"

static ge::graphStatus TilingImageConcat(gert::TilingContext* context) {
  constexpr size_t kMostImages = 6, kChannels = 1;  // planes of channels, as they are stored
  std::vector<int64_t> planes;
  for (size_t i = 0; i < kMostImages; ++i) {
    const gert::StorageShape* x = context->GetOptionalInputShape(i);
    if (x == nullptr) break;
    planes.push_back(x->GetStorageShape().GetDim(kChannels));
  }
  return parts::Plan(context, context->GetOutputShape(0)->GetStorageShape(), kChannels, planes);
}

IMPL_OP_OPTILING(ImageConcat).Tiling(TilingImageConcat);
