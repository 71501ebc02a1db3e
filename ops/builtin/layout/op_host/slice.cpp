#include "../op_kernel/slice_tiling.h"
#include "layout_plan.h"

namespace {

constexpr uint64_t kMostStepBytes = 128;  // a request of GM: further apart, nothing is read for two

// Returns a position of a dim, counted from the front and within it.
uint64_t Within(int64_t position, int64_t size) {
  if (position < 0) position = position < -size ? 0 : position + size;
  return static_cast<uint64_t>(position < size ? position : size);
}

// Sets tiles of whole rows of x. False: not even one fits.
bool SetPickedTiles(uint64_t ub_bytes, uint64_t cores, uint64_t bytes, SliceTiling& t) {
  const uint64_t block = LayoutBlock(static_cast<uint32_t>(bytes)), columns = t.move.columns;
  const uint64_t seen = (columns - 1) * t.step + 1;
  const uint64_t pitch = layout::UpTo(seen, block), line = layout::UpTo(columns, block);
  const uint64_t row = layout::kBuffers * bytes * (pitch + line) + 4 * line;  // and its places
  const uint64_t fit = ub_bytes * layout::kUbPercent / 100 / row;
  if (fit == 0) return false;
  t.seen = static_cast<uint32_t>(seen);
  t.pitch = static_cast<uint32_t>(pitch);
  t.line = static_cast<uint32_t>(line);
  t.move.tile_columns = static_cast<uint32_t>(columns);
  t.move.tile_rows =
      static_cast<uint32_t>(layout::Least(layout::Least(t.move.rows, layout::kMostRows), fit));
  while (layout::TilesOf(t.move) < cores && t.move.tile_rows > 1 &&
         t.move.tile_rows * pitch * bytes > layout::kMinTileBytes)
    t.move.tile_rows = static_cast<uint32_t>(layout::CeilDiv(t.move.tile_rows, 2));
  return true;
}

// Plans to load rows as they lie, and to pick. False: nothing is to be picked, or a row is too long
// for UB.
bool PlanPicks(gert::TilingContext* context, uint64_t bytes, layout::Dims dims, SliceTiling& t) {
  const uint64_t step = dims.empty() ? 1 : dims.back().x;
  if ((bytes != 2 && bytes != 4) || step < 2 || step * bytes > kMostStepBytes) return false;
  for (const layout::Dim& dim : dims)
    if (dim.size == 0) return false;
  if (dims.back().size < 2) return false;
  dims.back().x = 1;
  if (!layout::SetMatrices(layout::Joined(dims), t.move) || t.move.turned != 0) return false;
  t.step = static_cast<uint32_t>(step);
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const uint64_t cores = tuning::KnobUpTo(context, "cores", platform.GetCoreNumAiv());
  if (!SetPickedTiles(ub_bytes, cores, bytes, t)) return false;
  t.move.core_tiles = layout::CeilDiv(layout::TilesOf(t.move), cores);
  context->SetBlockDim(
      static_cast<uint32_t>(layout::CeilDiv(layout::TilesOf(t.move), t.move.core_tiles)));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return true;
}

}  // namespace

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
  auto& t = *context->GetTilingData<SliceTiling>();
  t = {};
  t.move.x_first = first.x;
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  if (PlanPicks(context, bytes, dims, t)) return ge::GRAPH_SUCCESS;
  t = {};
  return layout::Plan(context, t.move, dims, first);
}

IMPL_OP_OPTILING(Slice).Tiling(TilingSlice);
