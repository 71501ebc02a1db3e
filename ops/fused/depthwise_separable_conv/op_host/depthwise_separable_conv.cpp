#include "../op_kernel/depthwise_separable_tiling.h"
#include "conv_dense_plan.h"

using conv_dense::CeilDiv;
using conv_dense::Least;
using conv_dense::Most;

constexpr uint64_t kBlockBytes = 32;      // C0 channels of a pixel
constexpr uint64_t kSlotBytes = 1 << 20;  // holds a tile between its convolutions: stays in L2
constexpr uint64_t kUbPercent = 63;       // goes to the first half beside the second one
// Goes to the first half where it ends before the second one.
constexpr uint64_t kUbAlonePercent = 90;
constexpr uint64_t kSumsPercent = 30;   // goes to blocks of sums
constexpr uint64_t kMostPixels = 1024;  // limits a tile

// Places of the contract's inputs.
constexpr size_t kDepthW = 1, kPointW = 6;

static void SetSizes(gert::TilingContext* context, DepthwiseSeparableTiling& t) {
  const gert::Shape& depth = context->GetInputShape(kDepthW)->GetOriginShape();
  window::SetSizes(context, {0, 1, -1}, t.window);
  t.window.planes = 1;
  t.window.window_height = static_cast<uint32_t>(depth.GetDim(2));
  t.window.window_width = static_cast<uint32_t>(depth.GetDim(3));
  t.images = static_cast<uint64_t>(context->GetInputShape(0)->GetOriginShape().GetDim(0));
  t.channels = static_cast<uint32_t>(depth.GetDim(0));
  t.out_channels =
      static_cast<uint32_t>(context->GetInputShape(kPointW)->GetOriginShape().GetDim(0));
  t.depth_epsilon = *context->GetAttrs()->GetFloat(3);
  t.point_epsilon = *context->GetAttrs()->GetFloat(4);
}

// Rows of pixels that a part of UB and a slot hold, at most so many pixels.
static bool SetTiles(uint64_t ub_bytes, uint64_t percent, uint32_t bytes, uint64_t most_pixels,
                     DepthwiseSeparableTiling& t) {
  const uint64_t channels = kBlockBytes / bytes, planes = CeilDiv(t.channels, channels);
  const uint64_t wide = channels * sizeof(float);
  window::Needs needs;
  needs.single_planes = true;
  needs.gaps = t.window.stride_height == 1 && t.window.stride_width == 1;
  needs.ub_percent = percent;
  needs.slabs = static_cast<uint32_t>(2 + (bytes == 2 ? wide / kBlockBytes : 0));
  needs.pixel = static_cast<uint32_t>(wide + 2 * kBlockBytes - window::kPixelBytes);  // no offsets
  needs.most_pixels = static_cast<uint32_t>(
      Least(most_pixels, Most(64, kSlotBytes / kBlockBytes / planes / 64 * 64)));
  window::Fitter fitter(ub_bytes, kBlockBytes, needs, t.window);
  if (!window::SetTiles(fitter, 1, needs, t.window)) return false;
  t.slot_pixels =
      static_cast<uint32_t>(CeilDiv(t.window.tile_rows * t.window.tile_columns, 16) * 16);
  return true;
}

static bool SetCube(const platform_ascendc::PlatformAscendC& platform, ge::DataType dtype,
                    uint64_t ub_bytes, DepthwiseSeparableTiling& t) {
  using matmul_tiling::CubeFormat;
  using matmul_tiling::TPosition;
  const auto type = conv_dense::TypeOf(dtype);
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  const int32_t base = conv_dense::MostBase(ub_bytes, sizeof(float) + bytes, 1, kSumsPercent);
  const auto m = static_cast<int32_t>(t.slot_pixels), n = static_cast<int32_t>(t.part_channels),
             k = static_cast<int32_t>(t.channels);
  matmul_tiling::MatmulApiTiling cube(platform);
  cube.SetAType(TPosition::GM, CubeFormat::NZ, type);
  cube.SetBType(TPosition::GM, CubeFormat::NZ, type, true);
  cube.SetCType(TPosition::VECIN, CubeFormat::NZ, matmul_tiling::DataType::DT_FLOAT);
  cube.SetShape(m, n, k);
  cube.SetOrgShape(m, static_cast<int32_t>(t.out_channels), k);
  cube.SetSplitRange(base, base, -1);
  cube.SetBias(false);
  cube.SetBufferSpace(-1, -1, -1);
  return cube.GetTiling(t.cube) != -1;
}

static uint64_t UpTo(uint64_t n, uint64_t step) { return CeilDiv(n, step) * step; }

// Cycles of a vector core for the planes of its tiles, on so many cores.
static double DepthCycles(uint64_t planes, uint64_t cores, const DepthwiseSeparableTiling& t) {
  constexpr double kTap = 0.33, kPixel = 1.7, kUnit = 500;  // are cycles for C0 channels
  const double taps = double(t.window.window_height) * t.window.window_width;
  const double tile = double(t.window.tile_rows) * t.window.tile_columns;
  return double(CeilDiv(t.images * t.window.tiles * planes, cores)) *
         (tile * (kPixel + kTap * taps) + kUnit);
}

// Tiles of which the cores have as many as each other, rather than large ones.
static void ShareTiles(uint64_t ub_bytes, uint32_t bytes, uint64_t planes, uint64_t cores,
                       DepthwiseSeparableTiling& t) {
  DepthwiseSeparableTiling tried = t;
  double least = DepthCycles(planes, cores, t);
  for (uint64_t rows = CeilDiv(kMostPixels, t.window.out_width); rows > 0; --rows) {
    const uint64_t pixels = UpTo(rows * t.window.out_width, window::kPixelStep);
    if (!SetTiles(ub_bytes, kUbAlonePercent, bytes, pixels, tried)) return;
    const double cycles = DepthCycles(planes, cores, tried);
    if (cycles >= least) continue;
    least = cycles;
    t = tried;
  }
}

// Plans the second half as a convolution in the cube unit's formats; false: this way is not open.
static bool PlanSplit(gert::TilingContext* context, uint64_t ub_bytes, uint32_t bytes,
                      DepthwiseSeparableTiling& t) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const conv::Chip chip = conv::ChipOf(context);
  const uint64_t vector_cores = chip.one_kind ? 1 : 2;  // counts those of a block
  const uint64_t planes = CeilDiv(t.channels * bytes, kBlockBytes);
  ConvTiling conv{};
  conv.images = static_cast<uint32_t>(t.images);
  conv.channels = t.channels;
  conv.height = conv.out_height = t.window.out_height;
  conv.width = conv.out_width = t.window.out_width;
  conv.out_channels = t.out_channels;
  conv.filter_height = conv.filter_width = conv.stride_height = conv.stride_width = 1;
  conv.dilation_height = conv.dilation_width = 1;
  conv::SetRowStep(conv, chip.one_kind);
  if (!conv_dense::IsLoadable(conv)) return false;
  conv::Work work;
  work.finish = 0.06;  // one instruction for two blocks of a pixel, and to narrow them
  work.image_in_l2 = work.has_room = true;
  work.in_bytes = work.out_bytes = bytes;
  const uint32_t blocks =
      conv::Choose(chip, {work}, {&conv}, DepthCycles(planes, 1, t) / double(vector_cores));
  if (blocks == 0) return false;
  ShareTiles(ub_bytes, bytes, planes, blocks * vector_cores, t);
  conv.slot_sums = conv::MostPixels(conv) * conv.tile_channels;
  t.conv = conv;
  t.image_at = conv::LineUp(uint64_t{blocks} * kConvSlots * conv.slot_sums * sizeof(float));
  context->SetBlockDim(blocks);
  context->SetTilingKey(chip.one_kind ? kByTurns : kSplitCores);
  context->GetWorkspaceSizes(1)[0] =
      platform.GetLibApiWorkSpaceSize() + t.image_at +
      t.images * planes * conv.out_height * conv.out_width * kBlockBytes +
      kConvLine;  // less than a fractal is read with what is behind it
  return true;
}

// Few tiles: the cores share out the planes of all, and then the channels of y.
static ge::graphStatus Plan(gert::TilingContext* context, DepthwiseSeparableTiling& t) {
  constexpr uint64_t kVectorCores = 2;  // counts the vector cores of a block
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const auto bytes = static_cast<uint32_t>(ge::GetSizeByDataType(dtype));
  const uint64_t cores = platform.GetCoreNumAiv();
  if (!SetTiles(ub_bytes, kUbPercent, bytes, kMostPixels, t)) return ge::GRAPH_FAILED;
  if (PlanSplit(context, ub_bytes, bytes, t)) return ge::GRAPH_SUCCESS;
  const uint64_t tiles = t.images * t.window.tiles,
                 planes = CeilDiv(t.channels * bytes, kBlockBytes);
  const bool shared = tiles > 0 && tiles * 2 < cores;
  const uint64_t wanted = shared ? CeilDiv(cores, Most(1, tiles)) : 1;
  t.part_channels = static_cast<uint32_t>(CeilDiv(CeilDiv(t.out_channels, wanted), 16) * 16);
  t.parts = tiles * CeilDiv(t.out_channels, t.part_channels);
  if (!SetCube(platform, dtype, ub_bytes, t)) return ge::GRAPH_FAILED;
  const uint64_t busy = Most(1, Least(cores, shared ? Most(tiles * planes, t.parts) : tiles));
  const uint64_t blocks = CeilDiv(busy, kVectorCores);
  context->SetBlockDim(static_cast<uint32_t>(blocks));
  context->SetTilingKey(shared ? kSharedTiles : kOwnTiles);
  context->GetWorkspaceSizes(1)[0] =
      platform.GetLibApiWorkSpaceSize() +
      (shared ? tiles : blocks * kVectorCores) * planes * t.slot_pixels * kBlockBytes;
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus TilingDepthwiseSeparableConv(gert::TilingContext* context) {
  auto& t = *context->GetTilingData<DepthwiseSeparableTiling>();
  t = {};
  SetSizes(context, t);
  return Plan(context, t);
}

IMPL_OP_OPTILING(DepthwiseSeparableConv).Tiling(TilingDepthwiseSeparableConv);
