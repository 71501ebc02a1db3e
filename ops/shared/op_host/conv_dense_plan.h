// The tiling of conv_dense.h: parts of y, channels x pixels, for every core.
#ifndef OPS_SHARED_CONV_DENSE_PLAN_H_
#define OPS_SHARED_CONV_DENSE_PLAN_H_

#include "../op_kernel/conv_dense_tiling.h"
#include "conv_turned_plan.h"
#include "tiling/tiling_api.h"
#include "window_lanes_plan.h"

namespace conv_dense {

using window::CeilDiv;
using window::Least;
using window::Most;

// Places of the contract's lists, of its number of groups, and of the bias among its inputs; -1:
// the op has none.
struct Places {
  int strides = 0, pads = 1, dilations = 2, group = 3;
  int bias = 2;
};

constexpr uint64_t kWindowsBytes = 4 << 20;  // counts a core's workspace for windows
constexpr uint64_t kUbPercent = 40;          // goes to windows, and as much to blocks of sums
constexpr int32_t kMostBase = 128;           // rows and columns of a block
constexpr uint32_t kLeastShared = 32;        // channels of a part that shares its windows

inline matmul_tiling::DataType TypeOf(ge::DataType type) {
  return type == ge::DT_FLOAT16 ? matmul_tiling::DataType::DT_FLOAT16
                                : matmul_tiling::DataType::DT_FLOAT;
}

inline void SetSizes(gert::TilingContext* context, const Places& places, ConvDenseTiling& t) {
  const gert::Shape& w = context->GetInputShape(1)->GetStorageShape();
  window::SetSizes(context, {places.strides, places.pads, places.dilations}, t.window);
  t.window.window_height = static_cast<uint32_t>(w.GetDim(2));
  t.window.window_width = static_cast<uint32_t>(w.GetDim(3));
  t.images = static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetDim(0));
  t.groups =
      places.group < 0 ? 1 : static_cast<uint64_t>(*context->GetAttrs()->GetInt(places.group));
  t.in_channels = static_cast<uint32_t>(w.GetDim(1));
  t.out_channels = static_cast<uint32_t>(static_cast<uint64_t>(w.GetDim(0)) / t.groups);
  t.k = t.in_channels * t.window.window_height * t.window.window_width;
  t.image_pixels = uint64_t{t.window.out_height} * t.window.out_width;
  t.has_bias = places.bias >= 0 && context->GetOptionalInputShape(places.bias) != nullptr ? 1 : 0;
}

// Tells whether x itself is the matrix of windows.
inline bool IsPlain(const ConvDenseTiling& t) {
  const WindowTiling& w = t.window;
  return w.window_height == 1 && w.window_width == 1 && w.stride_height == 1 &&
         w.stride_width == 1 && w.out_height == w.height && w.out_width == w.width &&
         w.pad_top == 0 && w.pad_left == 0;
}

// Channels of a group of y in parts that all cores have, where `pixel_parts` are not enough.
inline void SetChannels(uint64_t cores, uint64_t pixel_parts, uint64_t least, ConvDenseTiling& t) {
  const uint64_t there = Most(1, t.images * t.groups * pixel_parts);
  const uint64_t wanted = CeilDiv(cores, there);
  const uint64_t channels = CeilDiv(CeilDiv(t.out_channels, wanted), 16) * 16;
  t.part_channels = static_cast<uint32_t>(Least(t.out_channels, Most(least, channels)));
  t.parts = t.images * t.groups * pixel_parts * CeilDiv(t.out_channels, t.part_channels);
}

inline void PlanPlain(uint64_t cores, ConvDenseTiling& t) {
  constexpr uint64_t kMostPixels = 1024, kLeastPixels = 128;
  t.window.tiles = 0;
  uint64_t pixels = Least(kMostPixels, t.image_pixels);
  while (t.images * t.groups * CeilDiv(t.image_pixels, pixels) < cores && pixels > kLeastPixels)
    pixels = CeilDiv(pixels / 2, 16) * 16;
  t.part_pixels = static_cast<uint32_t>(pixels);
  SetChannels(cores, CeilDiv(t.image_pixels, pixels), 16, t);
}

// Tiles of the pixels of one image; all channels of a group, so that windows are gathered once. Of
// few tiles all cores gather the windows, and share the channels.
inline bool PlanWindows(uint64_t ub_bytes, uint32_t bytes, uint64_t cores, ConvDenseTiling& t) {
  window::Needs needs;
  needs.pixel = 2 * bytes;  // rows of the matrix, twice
  needs.single_planes = true;
  needs.ub_percent = kUbPercent;
  needs.most_pixels =
      static_cast<uint32_t>(Least(1024, Most(64, kWindowsBytes / bytes / t.k / 64 * 64)));
  needs.min_pixels = 128;  // have each as many products as a filter has
  t.window.planes = 1;
  window::Fitter fitter(ub_bytes, bytes, needs, t.window);
  const uint64_t worth = CeilDiv(cores, Most(1, t.images * t.groups));
  if (!window::SetTiles(fitter, worth, needs, t.window)) return false;
  t.part_pixels = t.window.tile_rows * t.window.tile_columns;
  const uint64_t tiles = t.images * t.groups * t.window.tiles;
  t.shared_windows = tiles > 0 && 2 * tiles <= cores && t.out_channels > kLeastShared ? 1 : 0;
  SetChannels(t.shared_windows ? cores : 1, t.window.tiles, kLeastShared, t);
  return true;
}

// numbers: of every channel that the finish keeps; rows of `bytes` beside the sums.
inline int32_t MostBase(uint64_t ub_bytes, uint64_t element_bytes, uint64_t numbers,
                        uint64_t ub_percent = kUbPercent) {
  int32_t base = kMostBase;
  const auto needs = [&](uint64_t b) {
    return b * b * element_bytes + b * ((numbers + 1) * 4 + numbers * 32 + 256 + numbers * 4);
  };
  while (base > 16 && needs(static_cast<uint64_t>(base)) > ub_bytes * ub_percent / 100) base -= 16;
  return base;
}

inline bool SetCube(const platform_ascendc::PlatformAscendC& platform, ge::DataType dtype,
                    int32_t base, ConvDenseTiling& t) {
  const auto type = TypeOf(dtype);
  matmul_tiling::MatmulApiTiling cube(platform);
  cube.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, type);
  cube.SetBType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, type);
  cube.SetCType(matmul_tiling::TPosition::VECIN, matmul_tiling::CubeFormat::ND,
                matmul_tiling::DataType::DT_FLOAT);
  const auto m = static_cast<int32_t>(t.part_channels), n = static_cast<int32_t>(t.part_pixels),
             k = static_cast<int32_t>(t.k);
  cube.SetShape(m, n, k);
  cube.SetOrgShape(m, t.window.tiles > 0 ? n : static_cast<int32_t>(t.image_pixels), k);
  cube.SetSplitRange(base, base, -1);
  cube.SetBias(false);
  cube.SetBufferSpace(-1, -1, -1);
  return cube.GetTiling(t.cube) != -1;
}

// Parts of the channels that do not meet, each with one channel of x: the vector unit's work.
inline bool IsPlanes(const ConvDenseTiling& t) { return t.in_channels == 1 && t.groups > 1; }

// Plans planes with one filter each in lanes where there are enough of them.
inline ge::graphStatus PlanPlaneLanes(gert::TilingContext* context, ConvDenseTiling& t,
                                      const window::Needs& needs, const Finish& finish) {
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const uint64_t elements = uint64_t{t.window.window_height} * t.window.window_width;
  window::LaneNeeds lanes;
  lanes.widens = bytes < sizeof(float);
  lanes.pixel = finish.scratch;
  lanes.fixed = (CeilDiv(elements, window::kLanes) + 1) * window::kLanes * window::kLanes *
                (2 * bytes + sizeof(float));  // filters and biases
  return window::PlanLanes(context, t.groups, lanes, needs, t.window);
}

inline ge::graphStatus PlanPlanes(gert::TilingContext* context, ConvDenseTiling& t,
                                  const Finish& finish) {
  constexpr uint64_t kVectorCores = 2;  // counts the vector cores of a block
  window::Needs needs;
  needs.single_planes = true;                        // a plane has its own filter
  needs.pixel = 5 * sizeof(float) + finish.scratch;  // results, twice, a tap, both in float
  const ge::graphStatus status = t.out_channels == 1 ? PlanPlaneLanes(context, t, needs, finish)
                                                     : window::Plan(context, needs, t.window);
  if (status != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(context->GetBlockDim(), kVectorCores)));
  context->SetTilingKey(kConvPlanes);
  return ge::GRAPH_SUCCESS;
}

// Plans the call of an op whose sizes are set.
inline ge::graphStatus PlanSizes(gert::TilingContext* context, ConvDenseTiling& t,
                                 const Finish& finish) {
  constexpr uint64_t kVectorCores = 2;  // counts the vector cores of a block
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const auto bytes = static_cast<uint32_t>(ge::GetSizeByDataType(dtype));
  const uint64_t cores = tuning::KnobUpTo(context, "cores", platform.GetCoreNumAiv());
  if (IsPlanes(t)) return PlanPlanes(context, t, finish);
  const bool plain = IsPlain(t);
  if (plain) {
    PlanPlain(cores, t);
  } else if (!PlanWindows(ub_bytes, bytes, cores, t)) {
    return ge::GRAPH_FAILED;
  }
  if (!SetCube(platform, dtype,
               MostBase(ub_bytes, sizeof(float) + bytes + finish.scratch, finish.numbers), t))
    return ge::GRAPH_FAILED;
  const uint64_t busy = Most(1, Least(cores, t.parts));
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(busy, kVectorCores)));
  context->SetTilingKey(plain ? kConvPlain : kConvWindows);
  const uint64_t matrices = t.shared_windows ? t.images * t.groups * t.window.tiles
                                             : CeilDiv(busy, kVectorCores) * kVectorCores;
  context->GetWorkspaceSizes(1)[0] =
      platform.GetLibApiWorkSpaceSize() + (plain ? 0 : matrices * t.k * t.part_pixels * bytes);
  return ge::GRAPH_SUCCESS;
}

// Plans the call of an op whose first inputs are x and w.
inline ge::graphStatus Plan(gert::TilingContext* context, ConvDenseTiling& t, const Finish& finish,
                            const Places& places = {}) {
  t = {};
  SetSizes(context, places, t);
  // Cores that are both kinds read a plain matrix as fast as they would turn it.
  const bool turns = t.groups == 1 && !(IsPlain(t) && conv::ChipOf(context).one_kind);
  if (turns && PlanTurned(context, TurnedSizes(t), t, finish)) return ge::GRAPH_SUCCESS;
  return PlanSizes(context, t, finish);
}

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_DENSE_PLAN_H_
