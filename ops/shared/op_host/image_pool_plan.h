// The tiling of windows of images in NC1HWC0: as many rows of y as UB holds together with what they
// see of x.
#ifndef IMAGE_POOL_PLAN_H_
#define IMAGE_POOL_PLAN_H_

#include "../op_kernel/image_pool_tiling.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace image_pool {

inline uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// Bytes of UB for each pixel that a tile sees, for each of its own, for each of a row, for each of
// its own where rows are as long as those that it sees, and others.
struct Needs {
  uint64_t seen, pixel, row_pixel, padded_pixel = 0, others = 0;
};

inline uint32_t Attr(gert::TilingContext* context, size_t place, size_t i) {
  return static_cast<uint32_t>(context->GetAttrs()->GetListInt(place)->GetData()[i]);
}

// Names the places of attributes; negative: there is none, and the number is 1.
struct Places {
  int window, strides, pads, dilations;
};

// Sets sizes of images in NC1HWC0 and of their windows.
inline void SetSizes(gert::TilingContext* context, const Places& places, ImagePoolTiling& t) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  const auto attr = [&](int place, size_t i) {
    return place < 0 ? 1 : Attr(context, static_cast<size_t>(place), i);
  };
  t.planes = static_cast<uint64_t>(y.GetDim(0)) * static_cast<uint64_t>(y.GetDim(1));
  t.height = static_cast<uint32_t>(x.GetDim(2));
  t.width = static_cast<uint32_t>(x.GetDim(3));
  t.out_height = static_cast<uint32_t>(y.GetDim(2));
  t.out_width = static_cast<uint32_t>(y.GetDim(3));
  t.window_height = attr(places.window, 0);
  t.window_width = attr(places.window, 1);
  t.stride_height = attr(places.strides, 0);
  t.stride_width = attr(places.strides, 1);
  t.pad_top = attr(places.pads, 0);
  t.pad_left = attr(places.pads, 1);
  t.padded_width = t.width + t.pad_left + attr(places.pads, 3);
  t.dilation_height = attr(places.dilations, 0);
  t.dilation_width = attr(places.dilations, 1);
}

inline uint32_t RowsSeen(const ImagePoolTiling& t, uint32_t rows) {
  return (rows - 1) * t.stride_height + (t.window_height - 1) * t.dilation_height + 1;
}

inline ge::graphStatus Plan(gert::TilingContext* context, const Needs& needs, ImagePoolTiling& t) {
  constexpr uint64_t kUbPercent = 90;
  // Is the least tile: smaller ones do not repay further cores.
  constexpr uint32_t kLeastPixels = 128;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const uint64_t cores = platform.GetCoreNumAiv();
  const auto fits = [&](uint32_t rows) {
    const uint64_t seen = uint64_t{RowsSeen(t, rows)} * t.padded_width;
    return seen * needs.seen + uint64_t{rows} * t.out_width * needs.pixel +
               uint64_t{t.padded_width} * (needs.row_pixel + rows * needs.padded_pixel) +
               needs.others <=
           ub_bytes * kUbPercent / 100;
  };
  uint32_t rows = t.out_height;
  while (rows > 1 && (!fits(rows) || (t.planes * CeilDiv(t.out_height, rows) < cores &&
                                      rows * t.out_width > kLeastPixels)))
    --rows;
  if (!fits(rows)) return ge::GRAPH_FAILED;
  t.tiles = static_cast<uint32_t>(CeilDiv(t.out_height, rows));
  t.tile_rows = static_cast<uint32_t>(CeilDiv(t.out_height, t.tiles));
  t.slab_rows = RowsSeen(t, t.tile_rows);
  const uint64_t all = t.planes * t.tiles;
  t.core_tiles = CeilDiv(all, cores) > 0 ? CeilDiv(all, cores) : 1;
  const uint64_t blocks = CeilDiv(all, t.core_tiles);
  context->SetBlockDim(static_cast<uint32_t>(blocks > 0 ? blocks : 1));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace image_pool

#endif  // IMAGE_POOL_PLAN_H_
