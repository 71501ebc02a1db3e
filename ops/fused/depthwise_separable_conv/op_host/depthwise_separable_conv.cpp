#include "../op_kernel/depthwise_separable_tiling.h"
#include "conv_dense_plan.h"

using conv_dense::CeilDiv;
using conv_dense::Least;
using conv_dense::Most;

constexpr uint64_t kBlockBytes = 32;      // C0 channels of a pixel
constexpr uint64_t kSlotBytes = 1 << 20;  // of a tile between its convolutions: stays in L2
constexpr uint64_t kUbPercent = 63;       // for the first half
constexpr uint64_t kSumsPercent = 30;     // for blocks of sums

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

// Rows of pixels that UB and a slot hold.
static bool SetTiles(uint64_t ub_bytes, uint32_t bytes, DepthwiseSeparableTiling& t) {
  const uint64_t channels = kBlockBytes / bytes, planes = CeilDiv(t.channels, channels);
  const uint64_t wide = channels * sizeof(float);
  window::Needs needs;
  needs.single_planes = true;
  needs.ub_percent = kUbPercent;
  needs.slabs = static_cast<uint32_t>(2 + (bytes == 2 ? wide / kBlockBytes : 0));
  needs.pixel = static_cast<uint32_t>(wide + 2 * kBlockBytes - window::kPixelBytes);  // no offsets
  needs.most_pixels =
      static_cast<uint32_t>(Least(1024, Most(64, kSlotBytes / kBlockBytes / planes / 64 * 64)));
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

// Few tiles: the cores share out the planes of all, and then the channels of y.
static ge::graphStatus Plan(gert::TilingContext* context, DepthwiseSeparableTiling& t) {
  constexpr uint64_t kVectorCores = 2;  // of a block
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const auto bytes = static_cast<uint32_t>(ge::GetSizeByDataType(dtype));
  const uint64_t cores = platform.GetCoreNumAiv();
  if (!SetTiles(ub_bytes, bytes, t)) return ge::GRAPH_FAILED;
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
