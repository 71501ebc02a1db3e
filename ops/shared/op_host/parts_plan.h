// The tiling of ops that join tensors along a dim, or take one apart (parts.h).
//
//   return parts::Plan(context, y, axis, sizes);  // the whole, and what each part has along the
//   axis
#ifndef OPS_SHARED_PARTS_PLAN_H_
#define OPS_SHARED_PARTS_PLAN_H_

#include "../op_kernel/parts_tiling.h"
#include "layout_plan.h"

namespace parts {

inline uint64_t Elements(const gert::Shape& shape, size_t first, size_t end) {
  uint64_t elements = 1;
  for (size_t d = first; d < end; ++d) elements *= static_cast<uint64_t>(shape.GetDim(d));
  return elements;
}

// Returns the tiles of one part, and what they take in UB.
inline uint64_t SetTiles(PartsTiling& data, uint32_t part, uint64_t capacity, uint64_t cores,
                         uint32_t bytes) {
  LayoutTiling t{};
  t.matrices = 1;
  t.rows = data.rows;
  t.columns = data.columns[part];
  layout::SetTiles(capacity, bytes, t);
  layout::ShareOut(cores, bytes, t);
  data.tile_rows[part] = t.tile_rows;
  data.tile_columns[part] = t.tile_columns;
  return t.tile_rows * layout::UpTo(t.tile_columns, LayoutBlock(bytes));
}

inline ge::graphStatus Plan(gert::TilingContext* context, const gert::Shape& whole, size_t axis,
                            const std::vector<int64_t>& sizes) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto element =
      static_cast<uint32_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const uint32_t halves = layout::HalvesOf(element), bytes = element / halves;
  const uint64_t capacity = ub_bytes * layout::kUbPercent / 100 / layout::kBuffers / bytes;
  if (sizes.size() > kMostParts) return ge::GRAPH_FAILED;
  auto& data = *context->GetTilingData<PartsTiling>();
  data = {};
  data.parts = static_cast<uint32_t>(sizes.size());
  data.rows = Elements(whole, 0, axis);
  data.whole_columns = Elements(whole, axis, whole.GetDimNum()) * halves;
  const uint64_t inner = Elements(whole, axis + 1, whole.GetDimNum()) * halves;
  for (uint32_t i = 0; i < data.parts; ++i) {
    data.columns[i] = static_cast<uint64_t>(sizes[i]) * inner;
    if (data.columns[i] == 0 || data.rows == 0) continue;
    const uint64_t room = SetTiles(data, i, capacity, platform.GetCoreNumAiv(), bytes);
    data.room = static_cast<uint32_t>(layout::Most(data.room, room));
  }
  const uint64_t worth = layout::CeilDiv(data.rows * data.whole_columns * bytes, 16384);
  context->SetBlockDim(
      static_cast<uint32_t>(layout::Most(1, layout::Least(platform.GetCoreNumAiv(), worth))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace parts

#endif  // OPS_SHARED_PARTS_PLAN_H_
