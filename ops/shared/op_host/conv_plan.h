// The tiling of conv.h: pixels and channels of y in tiles, one after the other for every block.
#ifndef OPS_SHARED_CONV_PLAN_H_
#define OPS_SHARED_CONV_PLAN_H_

#include "../op_kernel/conv_tiling.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "tuning.h"

namespace conv {

constexpr uint32_t kImageBytes = 192 * 1024;   // conv_tile.h
constexpr uint32_t kOperandBytes = 32 * 1024;  // the same
constexpr uint32_t kFractal = 16;

inline uint32_t CeilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }
inline uint32_t Most(uint32_t a, uint32_t b) { return a > b ? a : b; }

// Places of what the op's contract calls strides, pads (top, left, bottom, right) and dilations,
// and of the bias among its inputs.
struct Places {
  size_t strides = 0, pads = 1, dilations = 2, bias = 2;
};

inline void SetSizes(gert::TilingContext* context, const Places& places, ConvTiling& t) {
  const gert::Shape& x = context->GetInputShape(0)->GetOriginShape();
  const gert::Shape& w = context->GetInputShape(1)->GetOriginShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetOriginShape();
  const auto dim = [](const gert::Shape& shape, size_t i) {
    return static_cast<uint32_t>(shape.GetDim(i));
  };
  const auto attr = [context](size_t place, size_t i) {
    return static_cast<uint32_t>(context->GetAttrs()->GetListInt(place)->GetData()[i]);
  };
  t.images = dim(x, 0);
  t.channels = dim(x, 1);
  t.height = dim(x, 2);
  t.width = dim(x, 3);
  t.out_channels = dim(y, 1);
  t.out_height = dim(y, 2);
  t.out_width = dim(y, 3);
  t.filter_height = dim(w, 2);
  t.filter_width = dim(w, 3);
  t.stride_height = attr(places.strides, 0);
  t.stride_width = attr(places.strides, 1);
  t.pad_top = attr(places.pads, 0);
  t.pad_left = attr(places.pads, 1);
  t.pad_bottom = attr(places.pads, 2);
  t.pad_right = attr(places.pads, 3);
  t.dilation_height = attr(places.dilations, 0);
  t.dilation_width = attr(places.dilations, 1);
  t.has_bias = context->GetOptionalInputShape(places.bias) != nullptr ? 1 : 0;
}

// Rows of x that `rows` rows of pixels see.
inline uint32_t RowsSeen(const ConvTiling& t, uint32_t rows) {
  return (rows - 1) * t.stride_height + (t.filter_height - 1) * t.dilation_height + 1;
}

inline uint64_t TilesOf(const ConvTiling& t) {
  return uint64_t{t.images} * CeilDiv(t.out_height, t.tile_rows) *
         CeilDiv(t.out_width, t.tile_columns) * CeilDiv(t.out_channels, t.tile_channels);
}

// Whole rows of pixels, or part of one; fewer channels while blocks are idle, but whole fractals
// and whole planes of y. False: L1 does not hold the rows that one row of pixels sees.
inline bool SetTiles(uint64_t blocks, uint32_t element_bytes, uint32_t y_bytes, ConvTiling& t) {
  const uint32_t step = Most(kFractal, 32 / y_bytes);
  const uint32_t most = kImageBytes / 32 / t.width;  // rows of C0 channels in L1
  if (RowsSeen(t, 1) > most) return false;
  t.tile_columns = Least(t.out_width, kConvTilePixels);
  t.tile_rows = Least(t.out_height, Most(1, kConvTilePixels / t.out_width));
  while (RowsSeen(t, t.tile_rows) > most) --t.tile_rows;
  t.tile_channels = Least(128, CeilDiv(t.out_channels, step) * step);
  while (TilesOf(t) < blocks && t.tile_channels > step)
    t.tile_channels = CeilDiv(t.tile_channels / 2, step) * step;
  // The larger operand of a step fills its buffer.
  const uint32_t c0 = 32 / element_bytes;
  t.k_step = kOperandBytes / element_bytes / Most(kConvTilePixels, t.tile_channels) / c0 * c0;
  t.tiles = TilesOf(t);
  return true;
}

// Plans the call of an op whose first inputs are x and w.
inline ge::graphStatus Plan(gert::TilingContext* context, ConvTiling& t,
                            const Places& places = {}) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  t = {};
  SetSizes(context, places, t);
  const auto bytes = [](ge::DataType type) {
    return static_cast<uint32_t>(ge::GetSizeByDataType(type));
  };
  const uint64_t cores = tuning::KnobUpTo(context, "cores", platform.GetCoreNumAic());
  if (!SetTiles(cores, bytes(context->GetInputDesc(0)->GetDataType()),
                bytes(context->GetOutputDesc(0)->GetDataType()), t))
    return ge::GRAPH_FAILED;
  const uint64_t blocks = t.tiles < cores ? t.tiles : cores;
  context->SetBlockDim(static_cast<uint32_t>(blocks > 0 ? blocks : 1));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() +
                                     blocks * kConvSlots * kConvTilePixels * t.tile_channels * 4;
  return ge::GRAPH_SUCCESS;
}

}  // namespace conv

#endif  // OPS_SHARED_CONV_PLAN_H_
