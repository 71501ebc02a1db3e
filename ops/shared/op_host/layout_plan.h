// The tiling of ops that move elements: their dims as matrices, and tiles that fit into UB.
//
//   layout::Dims dims = ...;                 // lists those of y, the outermost first
//   return layout::Plan(context, tiling, dims);
#ifndef OPS_SHARED_LAYOUT_PLAN_H_
#define OPS_SHARED_LAYOUT_PLAN_H_

#include <vector>

#include "../op_kernel/layout_tiling.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "tuning.h"

namespace layout {

constexpr uint64_t kUbPercent = 90;
constexpr uint64_t kBuffers = 2;             // counts the buffers of a queue
constexpr uint64_t kMostRows = 4095;         // parts of a copy: page "DataCopyPad"
constexpr uint64_t kMostRepeats = 255;       // limits TransDataTo5HD
constexpr uint64_t kMostRowBytes = 1 << 20;  // below what a part of a copy may have
constexpr uint64_t kMinTileBytes = 4096;     // smaller tiles do not repay further cores

inline uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
inline uint64_t UpTo(uint64_t n, uint64_t step) { return CeilDiv(n, step) * step; }
inline uint64_t Least(uint64_t a, uint64_t b) { return a < b ? a : b; }
inline uint64_t Most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// A dim of y: its size, and how far its elements lie apart in x and in y.
struct Dim {
  uint64_t size, x, y;
};
using Dims = std::vector<Dim>;

// Where in x and y the first element lies.
struct First {
  uint64_t x = 0, y = 0;
};

// Elements of 64 bits move as two halves that lie side by side.
inline uint32_t HalvesOf(uint32_t element_bytes) { return element_bytes == 8 ? 2 : 1; }

// Returns the dims of halves: `halves` of them are an element.
inline Dims InHalves(const Dims& dims, uint64_t halves) {
  Dims moved;
  for (const Dim& dim : dims) moved.push_back({dim.size, dim.x * halves, dim.y * halves});
  if (halves > 1) moved.push_back({halves, 1, 1});
  return moved;
}

// Without dims of size 1; neighbours that are one dim in x and in y are one.
inline Dims Joined(const Dims& dims) {
  Dims joined;
  for (const Dim& dim : dims) {
    if (dim.size == 1) continue;
    if (!joined.empty() && joined.back().x == dim.x * dim.size &&
        joined.back().y == dim.y * dim.size) {
      joined.back() = {joined.back().size * dim.size, dim.x, dim.y};
    } else {
      joined.push_back(dim);
    }
  }
  return joined;
}

// Takes out the innermost dim of x or of y (`stride` of it is 1); dims.size() when there is none.
inline size_t Innermost(const Dims& dims, uint64_t Dim::*stride) {
  for (size_t i = dims.size(); i-- > 0;)
    if (dims[i].*stride == 1) return i;
  return dims.size();
}

inline Dim Take(Dims& dims, size_t at) {
  const Dim taken = dims[at];
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(at));
  return taken;
}

// Returns the dim that makes the highest matrices of one copy: the largest, but none that repeats
// x.
inline size_t Highest(const Dims& dims) {
  size_t best = dims.size() - 1;
  const auto height = [&](size_t i) { return dims[i].x == 0 ? 1 : dims[i].size; };
  for (size_t i = best; i-- > 0;)
    if (height(i) > height(best)) best = i;
  return best;
}

// Columns are a dim that lies side by side in x, and in y where there is one. In x there is none
// when every element is taken apart: a matrix has one column then, and is turned. False: the
// elements of y lie apart, or there are too many dims.
inline bool SetMatrices(Dims dims, LayoutTiling& tiling) {
  tiling.rows = tiling.columns = tiling.matrices = 1;
  tiling.x_stride = tiling.y_stride = 1;
  if (!dims.empty()) {
    if (Innermost(dims, &Dim::x) == dims.size()) dims.insert(dims.begin(), {1, 1, 1});
    const size_t of_y = Innermost(dims, &Dim::y), of_x = Innermost(dims, &Dim::x);
    if (of_y == dims.size()) return false;
    tiling.turned = of_x == of_y ? 0 : 1;
    const Dim columns = dims[of_x];
    tiling.columns = columns.size;
    Dim rows{1, columns.size, columns.size};
    if (tiling.turned != 0) rows = dims[of_y];
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(Most(of_x, of_y)));
    if (tiling.turned != 0)
      dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(Least(of_x, of_y)));
    if (tiling.turned == 0 && !dims.empty()) rows = Take(dims, Highest(dims));
    tiling.rows = rows.size;
    tiling.x_stride = rows.x;
    tiling.y_stride = tiling.turned != 0 ? columns.y : rows.y;
  }
  if (dims.size() > kLayoutOuterDims) return false;
  tiling.outer_dims = static_cast<uint32_t>(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    tiling.outer_size[i] = dims[i].size;
    tiling.outer_x[i] = dims[i].x;
    tiling.outer_y[i] = dims[i].y;
    tiling.matrices *= dims[i].size;
  }
  return true;
}

// Tiles of at most `capacity` elements; a turned one is about as high as wide where it can be.
inline void SetTiles(uint64_t capacity, uint32_t bytes, LayoutTiling& tiling) {
  const uint64_t block = LayoutBlock(bytes);
  if (tiling.turned == 0) {
    const uint64_t most = Least(capacity, kMostRowBytes / bytes) / block * block;
    const uint64_t columns = Least(tiling.columns, most);
    tiling.tile_columns = static_cast<uint32_t>(columns);
    tiling.tile_rows = static_cast<uint32_t>(
        Least(Least(tiling.rows, kMostRows), capacity / UpTo(columns, block)));
    return;
  }
  const uint64_t down = LayoutTurnedRows(bytes);
  uint64_t side = down;
  while ((side + down) * (side + down) <= capacity) side += down;
  const uint64_t high = UpTo(tiling.rows, down);
  const uint64_t width = Most(side, high < side ? capacity / high / block * block : 0);
  const uint64_t columns = Least(Least(tiling.columns, width), kMostRepeats * block);
  const uint64_t fit = capacity / UpTo(columns, block) / down * down;
  tiling.tile_columns = static_cast<uint32_t>(Least(columns, kMostRows));
  tiling.tile_rows = static_cast<uint32_t>(Least(Least(tiling.rows, fit), kMostRows / down * down));
}

inline uint64_t TilesOf(const LayoutTiling& tiling) {
  return tiling.matrices * CeilDiv(tiling.rows, tiling.tile_rows) *
         CeilDiv(tiling.columns, tiling.tile_columns);
}

// Lower tiles while cores are idle and a tile is not too small.
inline void ShareOut(uint64_t cores, uint32_t bytes, LayoutTiling& tiling) {
  const uint32_t step = tiling.turned != 0 ? LayoutTurnedRows(bytes) : 1;
  const auto half = [](uint32_t n, uint32_t unit) {
    return static_cast<uint32_t>(UpTo(CeilDiv(n, 2), unit));
  };
  while (TilesOf(tiling) < cores &&
         uint64_t{tiling.tile_rows} * tiling.tile_columns * bytes > kMinTileBytes) {
    const uint32_t rows = half(tiling.tile_rows, step);
    const uint32_t columns = half(tiling.tile_columns, LayoutBlock(bytes));
    if (rows < tiling.tile_rows) {
      tiling.tile_rows = rows;
    } else if (columns < tiling.tile_columns) {
      tiling.tile_columns = columns;
    } else {
      return;
    }
  }
}

// Plans the move of y's dims, each with its stride in x.
inline ge::graphStatus Plan(gert::TilingContext* context, LayoutTiling& tiling, const Dims& dims,
                            const First& first = {}) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto element =
      static_cast<uint32_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const uint32_t halves = HalvesOf(element), bytes = element / halves;
  tiling = {};
  tiling.x_first = first.x * halves;
  tiling.y_first = first.y * halves;
  uint64_t blocks = 1;
  bool empty = false;
  for (const Dim& dim : dims) empty = empty || dim.size == 0;
  if (!empty) {
    if (!SetMatrices(Joined(InHalves(dims, halves)), tiling)) return ge::GRAPH_FAILED;
    const uint64_t buffers = tiling.turned != 0 ? 2 * kBuffers : kBuffers;
    SetTiles(ub_bytes * kUbPercent / 100 / buffers / bytes, bytes, tiling);
    const uint64_t cores = tuning::KnobUpTo(context, "cores", platform.GetCoreNumAiv());
    ShareOut(cores, bytes, tiling);
    tiling.core_tiles = CeilDiv(TilesOf(tiling), cores);
    blocks = CeilDiv(TilesOf(tiling), tiling.core_tiles);
  }
  context->SetBlockDim(static_cast<uint32_t>(blocks));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

// How far the elements of each dim of a dense tensor lie apart.
inline std::vector<uint64_t> StridesOf(const gert::Shape& shape) {
  std::vector<uint64_t> strides(shape.GetDimNum(), 1);
  for (size_t i = strides.size(); i-- > 1;)
    strides[i - 1] = strides[i] * static_cast<uint64_t>(shape.GetDim(i));
  return strides;
}

}  // namespace layout

#endif  // OPS_SHARED_LAYOUT_PLAN_H_
