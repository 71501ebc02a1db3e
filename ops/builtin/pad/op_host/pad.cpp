#include <cstring>

#include "../op_kernel/pad_tiling.h"
#include "layout_plan.h"

namespace {

uint32_t ModeOf(const char* mode) {
  if (std::strcmp(mode, "edge") == 0) return kPadEdge;
  return std::strcmp(mode, "reflect") == 0 ? kPadReflect : kPadConstant;
}

// Dims that follow one another without pads are one; a scalar is a dim of one element.
void SetDims(gert::TilingContext* context, PadPieces& t) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const int64_t* pads = context->GetAttrs()->GetListInt(0)->GetData();
  const size_t rank = x.GetDimNum();
  for (size_t d = 0; d < rank; ++d) {
    const int64_t before = pads[d], after = pads[rank + d];
    const uint32_t last = t.dims - 1;
    const bool joins = t.dims > 0 && before + after == 0 && t.before[last] + t.after[last] == 0;
    if (joins) {
      t.size[last] *= x.GetDim(d);
    } else {
      t.size[t.dims] = x.GetDim(d);
      t.before[t.dims] = before;
      t.after[t.dims++] = after;
    }
  }
  if (t.dims == 0) t.size[t.dims++] = 1;
  uint64_t of_x = 1, of_y = 1;
  for (uint32_t d = t.dims; d-- > 0;) {
    t.x_stride[d] = of_x;
    t.y_stride[d] = of_y;
    of_x *= static_cast<uint64_t>(t.size[d]);
    of_y *= static_cast<uint64_t>(t.before[d] + t.size[d] + t.after[d]);
  }
}

}  // namespace

static ge::graphStatus TilingPad(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  auto& t = *context->GetTilingData<PadPieces>();
  t = {};
  t.mode = ModeOf(context->GetAttrs()->GetStr(1));
  t.value = *context->GetAttrs()->GetFloat(2);
  const uint64_t room = ub_bytes * layout::kUbPercent / 100 / (layout::kBuffers + 1) / 32 * 32;
  t.capacity = static_cast<uint32_t>(room / bytes);
  const auto elements =
      static_cast<uint64_t>(context->GetOutputShape(0)->GetStorageShape().GetShapeSize());
  if (elements > 0) SetDims(context, t);
  const uint64_t worth = layout::CeilDiv(elements * bytes, layout::kMinTileBytes);
  context->SetBlockDim(
      static_cast<uint32_t>(layout::Most(1, layout::Least(platform.GetCoreNumAiv(), worth))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(Pad).Tiling(TilingPad);
