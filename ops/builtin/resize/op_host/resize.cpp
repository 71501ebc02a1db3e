#include <cstring>

#include "../op_kernel/resize_tiling.h"
#include "window_plan.h"

namespace {

using window::CeilDiv;
using window::Least;
using window::Most;

constexpr uint64_t kUbPercent = 80;
constexpr uint64_t kMostPixels = 8192;  // limits a tile

bool Is(const char* text, const char* word) { return std::strcmp(text, word) == 0; }

// Exact: places are fractions of whole numbers.
ResizeAxis AxisOf(int64_t in, int64_t out, const char* coordinates) {
  if (in == out) return {1, 0, 1, in, out};
  const bool corners = Is(coordinates, "align_corners");
  if (out == 1 && (corners || Is(coordinates, "pytorch_half_pixel"))) return {0, 0, 1, in, out};
  if (corners) return {in - 1, 0, out - 1, in, out};
  if (Is(coordinates, "asymmetric")) return {in, 0, out, in, out};
  return {2 * in, in - out, 2 * out, in, out};
}

// The nearest place is a fraction that is rounded down, too.
void SetNearest(const char* mode, ResizeAxis& axis) {
  if (Is(mode, "floor")) return;
  if (Is(mode, "ceil")) {
    axis.offset += axis.divisor - 1;
    return;
  }
  axis.offset = 2 * axis.offset + axis.divisor - (Is(mode, "round_prefer_floor") ? 1 : 0);
  axis.step *= 2;
  axis.divisor *= 2;
}

// Places of x from the first to the last one that `count` places of y read, at most.
uint64_t Span(const ResizeAxis& axis, uint64_t count) {
  const auto between = (count - 1) * static_cast<uint64_t>(axis.step) / axis.divisor;
  return Least(static_cast<uint64_t>(axis.in), between + 3);
}

class Fitter {
 public:
  Fitter(uint64_t ub_bytes, uint64_t bytes, ResizeTiling& t)
      : room_(ub_bytes * kUbPercent / 100), bytes_(bytes), t_(t) {}

  // Keeps the tile when it fits.
  bool Try(uint64_t planes, uint64_t rows, uint64_t columns) {
    const uint64_t read = t_.linear != 0 ? 2 * rows : rows, span = Span(t_.down, rows);
    const uint64_t lines = Least(read, span);
    const uint64_t pitch = CeilDiv(Span(t_.across, columns), kResizeLine) * kResizeLine;
    const uint64_t line = CeilDiv(columns, kResizeLine) * kResizeLine;
    const uint64_t pixels = planes * rows * line;
    if (pixels > kMostPixels || lines > window::kMostRows) return false;
    if (planes * lines * pitch * OfSlab() + planes * rows * pitch * (t_.linear != 0 ? 4 : 0) +
            pixels * OfPixel() + line * (t_.linear != 0 ? 16 : 4) >
        room_)
      return false;
    t_.tile_planes = static_cast<uint32_t>(planes);
    t_.tile_rows = static_cast<uint32_t>(rows);
    t_.tile_columns = static_cast<uint32_t>(columns);
    t_.line = static_cast<uint32_t>(line);
    t_.lines = static_cast<uint32_t>(lines);
    t_.pitch = static_cast<uint32_t>(pitch);
    t_.dense = span <= read ? 1 : 0;
    return true;
  }

 private:
  uint64_t OfSlab() const { return 2 * bytes_ + (t_.linear != 0 && bytes_ != 4 ? 4 : 0); }
  // Results, twice; places; of both neighbours places and values.
  uint64_t OfPixel() const { return 2 * bytes_ + (t_.linear != 0 ? 16 : 4); }

  uint64_t room_, bytes_;
  ResizeTiling& t_;
};

uint64_t TilesOf(const ResizeTiling& t) {
  return CeilDiv(t.planes, t.tile_planes) * CeilDiv(t.down.out, t.tile_rows) *
         CeilDiv(t.across.out, t.tile_columns);
}

// Compares tiles by what they take in all, in cycles: of pixels, of rows of all planes at once, of
// copies, and of a tile by itself.
uint64_t TimeOf(uint64_t cores, const ResizeTiling& t) {
  constexpr uint64_t kOfRow = 60, kOfCopy = 100, kOfTile = 500, kPixels = 64;
  const uint64_t pixels = uint64_t{t.tile_planes} * t.tile_rows * t.line;
  const uint64_t gathers = (t.linear != 0 ? 32 : 14) * pixels / kPixels;
  const uint64_t loads = t.dense != 0 ? 1 : uint64_t{t.tile_rows} * (t.linear != 0 ? 2 : 1);
  return CeilDiv(TilesOf(t), cores) *
         (gathers + kOfRow * t.tile_rows + kOfCopy * t.tile_planes * (1 + loads) + kOfTile);
}

// Takes whole columns of some planes at once: as many rows as fit, or fewer, so that cores share
// tiles evenly. Cuts long rows into columns.
void SetTiles(Fitter& fitter, uint64_t cores, ResizeTiling& t) {
  constexpr uint64_t kMostTried = 8;  // numbers of tiles of a plane
  const auto rows = static_cast<uint64_t>(t.down.out),
             columns = static_cast<uint64_t>(t.across.out);
  using Search = window::Fitter;
  if (!fitter.Try(1, 1, columns)) {
    Search::Largest(columns, [&](uint64_t n) { return fitter.Try(1, 1, n); });
    return;
  }
  ResizeTiling best = t;
  for (uint64_t planes = 1; planes < 2 * Most(1, t.planes); planes *= 2) {
    const uint64_t some = Least(planes, Most(1, t.planes));
    const uint64_t most =
        Search::Largest(rows, [&](uint64_t n) { return fitter.Try(some, n, columns); });
    if (most == 0) break;
    const uint64_t least = CeilDiv(rows, most);
    for (uint64_t high = least; high < least + kMostTried && high <= rows; ++high)
      if (fitter.Try(some, CeilDiv(rows, high), columns) && TimeOf(cores, t) < TimeOf(cores, best))
        best = t;
  }
  t = best;
}

}  // namespace

static ge::graphStatus TilingResize(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  auto& t = *context->GetTilingData<ResizeTiling>();
  t = {};
  t.linear = Is(context->GetAttrs()->GetStr(1), "linear") ? 1 : 0;
  t.planes = static_cast<uint64_t>(x.GetDim(0)) * static_cast<uint64_t>(x.GetDim(1));
  t.down = AxisOf(x.GetDim(2), y.GetDim(2), context->GetAttrs()->GetStr(2));
  t.across = AxisOf(x.GetDim(3), y.GetDim(3), context->GetAttrs()->GetStr(2));
  if (t.linear == 0) {
    SetNearest(context->GetAttrs()->GetStr(3), t.down);
    SetNearest(context->GetAttrs()->GetStr(3), t.across);
  }
  Fitter fitter(ub_bytes, bytes, t);
  SetTiles(fitter, platform.GetCoreNumAiv(), t);
  t.tiles = TilesOf(t);
  t.core_tiles = Most(1, CeilDiv(t.tiles, platform.GetCoreNumAiv()));
  context->SetBlockDim(static_cast<uint32_t>(Most(1, CeilDiv(t.tiles, t.core_tiles))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(Resize).Tiling(TilingResize);
