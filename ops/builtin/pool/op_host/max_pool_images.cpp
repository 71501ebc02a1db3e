#include "../op_kernel/max_pool_images_tiling.h"

#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace {

constexpr uint64_t kLanes = 32;         // channels of a pixel
constexpr uint64_t kMostColumns = 255;  // repeats of an instruction

uint32_t Dim(const gert::Shape& shape, size_t i) { return static_cast<uint32_t>(shape.GetDim(i)); }

uint32_t Attr(gert::TilingContext* context, size_t place, size_t i) {
  return static_cast<uint32_t>(context->GetAttrs()->GetListInt(place)->GetData()[i]);
}

uint32_t SeenBy(const MaxPoolImagesTilingData& t, uint32_t columns) {
  return (columns - 1) * t.stride_width + (t.window_width - 1) * t.dilation_width + 1;
}

// Returns the bytes of UB: two buffers of x as it is and one in half, two of y as it is and one in
// half.
uint64_t BytesOf(const MaxPoolImagesTilingData& t, uint32_t columns) {
  return kLanes * (uint64_t{4} * t.window_height * SeenBy(t, columns) + uint64_t{4} * columns);
}

void SetSizes(gert::TilingContext* context, MaxPoolImagesTilingData& t) {
  const gert::Shape& x = context->GetInputShape(0)->GetOriginShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetOriginShape();
  t.planes = static_cast<uint64_t>(x.GetDim(0)) * ((Dim(x, 1) + kLanes - 1) / kLanes);
  t.height = Dim(x, 2);
  t.width = Dim(x, 3);
  t.out_height = Dim(y, 2);
  t.out_width = Dim(y, 3);
  t.window_height = Attr(context, 0, 0);
  t.window_width = Attr(context, 0, 1);
  t.stride_height = Attr(context, 1, 0);
  t.stride_width = Attr(context, 1, 1);
  t.pad_top = Attr(context, 2, 0);
  t.pad_left = Attr(context, 2, 1);
  t.dilation_height = Attr(context, 3, 0);
  t.dilation_width = Attr(context, 3, 1);
}

}  // namespace

static ge::graphStatus TilingMaxPoolImages(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  auto* t = context->GetTilingData<MaxPoolImagesTilingData>();
  *t = {};
  SetSizes(context, *t);
  uint32_t columns = t->out_width < kMostColumns ? t->out_width : kMostColumns;
  while (columns > 1 && BytesOf(*t, columns) > ub_bytes * 4 / 5) columns = (columns + 1) / 2;
  if (columns == 0 || BytesOf(*t, columns) > ub_bytes * 4 / 5) return ge::GRAPH_FAILED;
  t->tile_columns = columns;
  t->seen_columns = SeenBy(*t, columns);
  t->tiles = t->planes * t->out_height * ((t->out_width + columns - 1) / columns);
  const uint64_t cores = platform.GetCoreNumAiv();
  context->SetBlockDim(static_cast<uint32_t>(t->tiles < cores ? t->tiles : cores));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(MaxPoolImages).Tiling(TilingMaxPoolImages);
