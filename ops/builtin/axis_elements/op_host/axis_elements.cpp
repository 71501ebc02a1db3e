// Tiles of lines: as many of them as UB holds with all places and all indices, and parts of lines
// where not even one line fits.
#include "../op_kernel/axis_elements_tiling.h"

#include <cstring>

#include "layout_plan.h"

namespace {

using namespace layout;

// Bytes of UB that a place and an index take.
struct Room {
  uint64_t place, index;
};

void SetSizes(gert::TilingContext* context, AxisElementsTiling& t) {
  const gert::Shape& data = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& indices = context->GetInputShape(1)->GetStorageShape();
  const auto axis = static_cast<size_t>(*context->GetAttrs()->GetInt(0));
  t = {};
  t.outer = t.inner = 1;
  for (size_t d = 0; d < data.GetDimNum(); ++d) {
    if (d < axis) t.outer *= static_cast<uint64_t>(data.GetDim(d));
    if (d > axis) t.inner *= static_cast<uint64_t>(data.GetDim(d));
  }
  t.places = static_cast<uint64_t>(data.GetDim(axis));
  t.indices = static_cast<uint64_t>(indices.GetDim(axis));
  t.across = t.inner == 1 ? 1 : 0;
}

// Half of UB for places, half for indices. A tile of columns has few rows of many places, or many
// rows of few.
void SetTile(uint64_t ub_bytes, const Room& room, uint64_t ends, AxisElementsTiling& t) {
  const uint64_t step = kAxisElementsStep;
  const uint64_t places = ub_bytes * kUbPercent / 100 / 2 / room.place;
  const uint64_t indices = ub_bytes * kUbPercent / 100 / 2 / room.index;
  if (t.across != 0) {
    const uint64_t fit =
        Least(places / (UpTo(t.places, step) + ends), indices / UpTo(Most(1, t.indices), step));
    t.lines = static_cast<uint32_t>(Most(1, Least(Least(fit, kMostRows), t.outer)));
    t.chunk = static_cast<uint32_t>(Least(t.places, (places - ends) / step * step));
    t.part = static_cast<uint32_t>(Least(t.indices, indices / step * step));
    return;
  }
  const uint64_t fit =
      Least(places / (t.places + ends), indices / Most(1, t.indices)) / step * step;
  t.lines = static_cast<uint32_t>(Least(t.inner, Most(fit, 2 * step)));
  const uint64_t pitch = UpTo(t.lines, step);
  t.chunk = static_cast<uint32_t>(Least(Least(t.places, kMostRows), places / pitch - ends));
  t.part = static_cast<uint32_t>(Least(Least(t.indices, kMostRows), indices / pitch));
}

uint64_t Groups(const AxisElementsTiling& t) {
  return t.across != 0 ? CeilDiv(t.outer, t.lines) : t.outer * CeilDiv(t.inner, t.lines);
}

// Fewer lines, and then shorter ones, while cores are idle and a tile is worth one.
// length: what a tile leaves of a line.
void ShareOut(uint64_t cores, uint64_t bytes, uint64_t all, uint32_t& length,
              AxisElementsTiling& t) {
  const uint32_t least = t.across != 0 ? 1 : kAxisElementsStep;
  const auto is_large = [&] { return uint64_t{t.lines} * length * bytes > kMinTileBytes; };
  while (Groups(t) * CeilDiv(all, length) < cores && is_large()) {
    if (t.lines > least) {
      t.lines = static_cast<uint32_t>(UpTo(CeilDiv(t.lines, 2), least));
    } else {
      length = static_cast<uint32_t>(UpTo(CeilDiv(length, 2), kAxisElementsStep));
    }
  }
}

// all: elements of y along the dim, of which a tile leaves `length`.
ge::graphStatus Finish(gert::TilingContext* context, uint64_t cores, uint64_t all, uint32_t length,
                       AxisElementsTiling& t) {
  const uint64_t tiles = Groups(t) * CeilDiv(all, length);
  t.core_tiles = CeilDiv(tiles, cores);
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(tiles, t.core_tiles)));
  return ge::GRAPH_SUCCESS;
}

struct Chip {
  uint64_t cores, ub_bytes;
};
Chip ChipOf(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  Chip chip{platform.GetCoreNumAiv(), 0};
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, chip.ub_bytes);
  return chip;
}
uint64_t BytesOf(gert::TilingContext* context, size_t input) {
  return static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(input)->GetDataType()));
}

void Start(gert::TilingContext* context) {
  context->SetBlockDim(1);
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
}

ge::graphStatus TilingGatherElements(gert::TilingContext* context) {
  constexpr uint64_t kFarApart = 256;  // places for each index that are not worth their way to UB
  const Chip chip = ChipOf(context);
  const uint64_t bytes = BytesOf(context, 0), of_index = BytesOf(context, 1);
  auto& t = *context->GetTilingData<AxisElementsTiling>();
  SetSizes(context, t);
  Start(context);
  if (t.outer * t.inner * t.indices == 0) return ge::GRAPH_SUCCESS;
  // Places twice; indices twice, three numbers of each, what is taken, and y twice.
  const Room room{kBuffers * bytes, kBuffers * (of_index + bytes) + 3 * sizeof(int32_t) + bytes};
  SetTile(chip.ub_bytes, room, t.across != 0 ? 3 * LayoutBlock(bytes) : 2, t);
  ShareOut(chip.cores, bytes, t.indices, t.part, t);
  t.by_scalar = t.places / kFarApart > t.indices ? 1 : 0;
  return Finish(context, chip.cores, t.indices, t.part, t);
}

ge::graphStatus TilingScatterElements(gert::TilingContext* context) {
  const Chip chip = ChipOf(context);
  const uint64_t bytes = BytesOf(context, 0), of_index = BytesOf(context, 1);
  auto& t = *context->GetTilingData<AxisElementsTiling>();
  SetSizes(context, t);
  t.adds = std::strcmp(context->GetAttrs()->GetStr(1), "add") == 0 ? 1 : 0;
  Start(context);
  if (t.outer * t.inner * t.places == 0) return ge::GRAPH_SUCCESS;
  const uint64_t wide = t.adds != 0 && bytes < sizeof(float) ? sizeof(float) : 0;
  SetTile(chip.ub_bytes, {bytes + wide, of_index + bytes + wide}, 0, t);
  ShareOut(chip.cores, bytes, t.places, t.chunk, t);
  t.part = t.part == 0 ? 1 : t.part;
  return Finish(context, chip.cores, t.places, t.chunk, t);
}

}  // namespace

IMPL_OP_OPTILING(GatherElements).Tiling(TilingGatherElements);
IMPL_OP_OPTILING(ScatterElements).Tiling(TilingScatterElements);
