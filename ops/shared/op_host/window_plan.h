// The tiling of window.h: whole planes of y, or rows of one, or part of a row, whatever is the most
// that UB holds together with what it sees of x.
#ifndef OPS_SHARED_WINDOW_PLAN_H_
#define OPS_SHARED_WINDOW_PLAN_H_

#include "../op_kernel/window_tiling.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace window {

constexpr uint32_t kMinPixels = 1024;  // smaller tiles do not repay further cores

// What a kernel takes in UB beside the slab and the offsets.
struct Needs {
  uint32_t pixel = 0;          // bytes for each pixel of a tile
  uint32_t slabs = 2;          // buffers of slabs
  bool single_planes = false;  // a tile has one plane
  bool gaps = false;           // rows of pixels are as far apart as those of the slab
  uint64_t ub_percent = 80;
  uint32_t most_pixels = 8192;  // limits a tile
  uint32_t min_pixels = kMinPixels;
};

constexpr uint32_t kMostRows = 4095;  // parts of a copy: page "DataCopyPad"
constexpr uint32_t kPixelBytes = 12;  // offsets and what they are made of
constexpr uint32_t kPixelStep = 64;   // buffers hold whole repeats

inline uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
inline uint64_t Least(uint64_t a, uint64_t b) { return a < b ? a : b; }
inline uint64_t Most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// Attributes of the contract.
inline uint32_t Attr(gert::TilingContext* context, size_t place, size_t i) {
  return static_cast<uint32_t>(context->GetAttrs()->GetListInt(place)->GetData()[i]);
}
// Places of the lists: down and across; top, left, bottom and right. -1: the op has none.
struct Places {
  int strides = 1, pads = 2, dilations = 3;
};

// Sizes of images N x C x H x W; the window's size is the caller's.
inline void SetSizes(gert::TilingContext* context, const Places& places, WindowTiling& t) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  t.planes = static_cast<uint64_t>(y.GetDim(0)) * static_cast<uint64_t>(y.GetDim(1));
  t.height = static_cast<uint32_t>(x.GetDim(2));
  t.width = static_cast<uint32_t>(x.GetDim(3));
  t.out_height = static_cast<uint32_t>(y.GetDim(2));
  t.out_width = static_cast<uint32_t>(y.GetDim(3));
  t.stride_height = Attr(context, places.strides, 0);
  t.stride_width = Attr(context, places.strides, 1);
  t.pad_top = Attr(context, places.pads, 0);
  t.pad_left = Attr(context, places.pads, 1);
  t.dilation_height = places.dilations < 0 ? 1 : Attr(context, places.dilations, 0);
  t.dilation_width = places.dilations < 0 ? 1 : Attr(context, places.dilations, 1);
}

// Tries tiles, the largest that UB holds.
class Fitter {
 public:
  Fitter(uint64_t ub_bytes, uint32_t element_bytes, const Needs& needs, WindowTiling& t)
      : room_(ub_bytes * needs.ub_percent / 100), bytes_(element_bytes), needs_(needs), t_(t) {}

  // Keeps the tile when it fits.
  bool Try(uint64_t planes, uint64_t rows, uint64_t columns) {
    const uint64_t seen = Sees(rows, t_.window_height, t_.stride_height, t_.dilation_height);
    const uint64_t across = Sees(columns, t_.window_width, t_.stride_width, t_.dilation_width);
    const uint64_t block = 32 / bytes_;
    const uint64_t slab = planes * seen * ((across + 2 * block - 2) / block * block);
    const uint64_t pixels =
        CeilDiv(planes * rows * (needs_.gaps ? across : columns), kPixelStep) * kPixelStep;
    if (seen > kMostRows || pixels > needs_.most_pixels) return false;
    if (slab * bytes_ * needs_.slabs + pixels * (kPixelBytes + needs_.pixel) > room_) return false;
    t_.tile_planes = static_cast<uint32_t>(planes);
    t_.tile_rows = static_cast<uint32_t>(rows);
    t_.tile_columns = static_cast<uint32_t>(columns);
    t_.slab = static_cast<uint32_t>(slab);
    t_.pixels = static_cast<uint32_t>(pixels);
    return true;
  }

  // Returns the largest number up to `most` for which try(number) is true; 0: none.
  template <typename Call>
  static uint64_t Largest(uint64_t most, const Call& call) {
    uint64_t low = 0, high = most;
    while (low < high) {
      const uint64_t middle = high - (high - low) / 2;
      if (call(middle)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    if (low > 0) call(low);
    return low;
  }

 private:
  static uint64_t Sees(uint64_t count, uint64_t window, uint64_t stride, uint64_t dilation) {
    return (count - 1) * stride + (window - 1) * dilation + 1;
  }

  uint64_t room_;
  uint32_t bytes_;
  const Needs& needs_;
  WindowTiling& t_;
};

inline uint64_t PlacesOf(const WindowTiling& t) {
  return CeilDiv(t.out_height, t.tile_rows) * CeilDiv(t.out_width, t.tile_columns);
}

// False: UB does not hold what one pixel sees.
inline bool SetTiles(Fitter& fitter, uint64_t cores, const Needs& needs, WindowTiling& t) {
  const uint64_t rows = t.out_height, columns = t.out_width;
  if (fitter.Try(1, rows, columns)) {
    const uint64_t share = needs.single_planes ? 1 : Most(1, CeilDiv(t.planes, cores));
    Fitter::Largest(share, [&](uint64_t n) { return fitter.Try(n, rows, columns); });
  } else if (fitter.Try(1, 1, columns)) {
    Fitter::Largest(rows, [&](uint64_t n) { return fitter.Try(1, n, columns); });
  } else if (Fitter::Largest(columns, [&](uint64_t n) { return fitter.Try(1, 1, n); }) == 0) {
    return false;
  }
  while (t.planes * PlacesOf(t) < cores && t.tile_planes == 1 && t.tile_rows > 1 &&
         t.pixels > needs.min_pixels)
    fitter.Try(1, CeilDiv(t.tile_rows, 2), t.tile_columns);
  t.tiles = CeilDiv(t.planes, t.tile_planes) * PlacesOf(t);
  t.core_tiles = Most(1, CeilDiv(t.tiles, cores));
  return true;
}

// Plans the call of an op on x whose window is known; sets all but the tiling key and the
// workspace.
inline ge::graphStatus Plan(gert::TilingContext* context, const Needs& needs, WindowTiling& t) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint32_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  Fitter fitter(ub_bytes, bytes, needs, t);
  if (!SetTiles(fitter, platform.GetCoreNumAiv(), needs, t)) return ge::GRAPH_FAILED;
  context->SetBlockDim(static_cast<uint32_t>(Most(1, CeilDiv(t.tiles, t.core_tiles))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace window

#endif  // OPS_SHARED_WINDOW_PLAN_H_
