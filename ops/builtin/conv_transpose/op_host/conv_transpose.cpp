// Parts of y for every core: channels of a group, all rows of them or as many as the workspace has
// room for; tiles of a part as large as UB holds.
#include "../op_kernel/conv_transpose_tiling.h"

#include "tiling/tiling_api.h"
#include "window_plan.h"

namespace {

using window::Attr;
using window::CeilDiv;
using window::Least;
using window::Most;

constexpr uint64_t kStampBytes = 4 << 20;  // counts a core's workspace for stamps
constexpr uint32_t kMostCopyRows = 4095;   // page "DataCopyPad"
constexpr uint64_t kUbPercent = 80;

enum Attribute : size_t { kStrides, kPads, kDilations, kGroup };

StampTiling SizesOf(gert::TilingContext* context, size_t dim) {
  const auto size = [&](const gert::StorageShape* shape) {
    return static_cast<uint32_t>(shape->GetStorageShape().GetDim(2 + dim));
  };
  StampTiling t{};
  t.size = size(context->GetInputShape(0));
  t.out_size = size(context->GetOutputShape(0));
  t.filter = size(context->GetInputShape(1));
  t.stride = Attr(context, kStrides, dim);
  t.dilation = Attr(context, kDilations, dim);
  t.pad = Attr(context, kPads, dim);
  return t;
}

void SetSizes(gert::TilingContext* context, ConvTransposeTiling& t) {
  const gert::Shape& w = context->GetInputShape(1)->GetStorageShape();
  t.groups = static_cast<uint32_t>(*context->GetAttrs()->GetInt(kGroup));
  t.in_channels = static_cast<uint32_t>(w.GetDim(0)) / t.groups;
  t.out_channels = static_cast<uint32_t>(w.GetDim(1));
  t.has_bias = context->GetOptionalInputShape(2) != nullptr ? 1 : 0;
  t.down = SizesOf(context, 0);
  t.across = SizesOf(context, 1);
}

// Pixels of x that `rows` rows of y see.
uint64_t PixelsSeen(const ConvTransposeTiling& t, uint64_t rows) {
  const uint64_t reach = uint64_t{t.down.filter - 1} * t.down.dilation;
  return Least(t.down.size, (rows - 1 + reach) / t.down.stride + 1) * t.across.size;
}
uint64_t StampsOf(const ConvTransposeTiling& t, uint64_t channels, uint64_t rows) {
  return channels * t.down.filter * t.across.filter * PixelsSeen(t, rows);
}

// Compares parts by cycles: the cube core of two vector cores reads the pixels of x that a part
// sees, each vector core the stamps that come out, a copy for each element of a filter.
uint64_t TimeOf(uint64_t cores, uint64_t bytes, const ConvTransposeTiling& t) {
  constexpr uint64_t kOfPart = 2000, kOfCopy = 120, kVectorCores = 2;
  constexpr uint64_t kReadX = 84, kReadStamps = 32;  // bytes of a cycle
  const uint64_t x = PixelsSeen(t, t.part_rows) * t.in_channels * bytes / kReadX;
  const uint64_t stamps = t.core_stamps * sizeof(float) / kReadStamps;
  const uint64_t copies = uint64_t{t.part_channels} * t.down.filter * t.across.filter;
  return CeilDiv(t.parts, cores) * (kVectorCores * x + stamps + kOfCopy * copies + kOfPart);
}

// Sets channels and rows of a part. False: the workspace is too short.
bool SetPart(uint64_t groups, uint64_t channels, uint64_t rows, ConvTransposeTiling& t) {
  t.part_channels = static_cast<uint32_t>(channels);
  t.part_rows = static_cast<uint32_t>(rows);
  t.parts = groups * CeilDiv(t.out_channels, channels) * CeilDiv(t.down.out_size, rows);
  t.core_stamps = StampsOf(t, channels, rows);
  return t.core_stamps <= kStampBytes / sizeof(float);
}

// Sets the parts that take the least time; a row of a channel where nothing more has room.
void SetParts(uint64_t images, uint64_t cores, uint64_t bytes, ConvTransposeTiling& t) {
  constexpr uint64_t kMostCuts = 16;
  const uint64_t groups = images * t.groups, rows = Most(1, t.down.out_size);
  SetPart(groups, 1, 1, t);
  ConvTransposeTiling best = t;
  for (uint64_t channels = 1; channels < 2 * uint64_t{t.out_channels}; channels *= 2) {
    const uint64_t some = Least(channels, t.out_channels);
    uint64_t high = rows;
    while (high > 1 && !SetPart(groups, some, high, t)) high = CeilDiv(high, 2);
    for (uint64_t cuts = 1; cuts <= Least(kMostCuts, high); ++cuts) {
      const bool fits = SetPart(groups, some, CeilDiv(high, cuts), t);
      if (fits && TimeOf(cores, bytes, t) < TimeOf(cores, bytes, best)) best = t;
    }
  }
  t = best;
}

bool IsApart(const ConvTransposeTiling& t) { return t.down.stride > 1 || t.across.stride > 1; }

// Returns the bytes of UB that tiles of this size take; sets what follows from it.
uint64_t SetTile(uint64_t rows, uint64_t columns, uint64_t bytes, ConvTransposeTiling& t) {
  t.down.tile = static_cast<uint32_t>(rows);
  t.across.tile = static_cast<uint32_t>(columns);
  t.down.phases = static_cast<uint32_t>(Least(t.down.stride, rows));
  t.across.phases = static_cast<uint32_t>(Least(t.across.stride, columns));
  t.plane_rows = static_cast<uint32_t>(CeilDiv(rows, t.down.stride));
  t.plane_pitch =
      static_cast<uint32_t>(CeilDiv(CeilDiv(columns, t.across.stride), kStampStep) * kStampStep);
  const uint64_t plane = uint64_t{t.plane_rows} * t.plane_pitch * sizeof(float);
  const uint64_t row = CeilDiv(columns, kStampStep) * kStampStep;
  const uint64_t wide = IsApart(t) && bytes < sizeof(float) ? sizeof(float) : 0;
  return (uint64_t{t.down.phases} * t.across.phases + 2) * plane + rows * row * (2 * bytes + wide) +
         row * sizeof(int32_t);
}

void SetTiles(uint64_t ub_bytes, uint64_t bytes, ConvTransposeTiling& t) {
  const uint64_t room = ub_bytes * kUbPercent / 100;
  uint64_t rows = Least(t.part_rows, kMostCopyRows), columns = t.across.out_size;
  while (SetTile(rows, columns, bytes, t) > room) {
    uint64_t& longer = rows > 1 ? rows : columns;
    longer = CeilDiv(longer, 2);
  }
}

bool SetCube(const platform_ascendc::PlatformAscendC& platform, ge::DataType dtype,
             ConvTransposeTiling& t) {
  const auto type = dtype == ge::DT_FLOAT16 ? matmul_tiling::DataType::DT_FLOAT16
                                            : matmul_tiling::DataType::DT_FLOAT;
  const auto gm = matmul_tiling::TPosition::GM;
  const auto nd = matmul_tiling::CubeFormat::ND;
  matmul_tiling::MatmulApiTiling cube(platform);
  cube.SetAType(gm, nd, type, true);
  cube.SetBType(gm, nd, type);
  cube.SetCType(gm, nd, matmul_tiling::DataType::DT_FLOAT);
  const uint64_t elements = uint64_t{t.down.filter} * t.across.filter;
  const auto k = static_cast<int32_t>(t.in_channels);
  cube.SetShape(static_cast<int32_t>(t.part_channels * elements),
                static_cast<int32_t>(PixelsSeen(t, t.part_rows)), k);
  cube.SetOrgShape(static_cast<int32_t>(t.out_channels * elements),
                   static_cast<int32_t>(t.down.size * t.across.size), k);
  cube.SetBias(false);
  cube.SetBufferSpace(-1, -1, -1);
  return cube.GetTiling(t.cube) != -1;
}

ge::graphStatus TilingConvTranspose(gert::TilingContext* context) {
  constexpr uint64_t kVectorCores = 2;  // counts the vector cores of a block
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const uint64_t cores = platform.GetCoreNumAiv();
  auto& t = *context->GetTilingData<ConvTransposeTiling>();
  t = {};
  SetSizes(context, t);
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(dtype));
  SetParts(static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetDim(0)), cores,
           bytes, t);
  SetTiles(ub_bytes, bytes, t);
  if (!SetCube(platform, dtype, t)) return ge::GRAPH_FAILED;
  const uint64_t blocks = CeilDiv(Most(1, Least(cores, t.parts)), kVectorCores);
  context->SetBlockDim(static_cast<uint32_t>(blocks));
  context->SetTilingKey(IsApart(t) ? kStampsApart : kStampsSideBySide);
  context->GetWorkspaceSizes(1)[0] =
      platform.GetLibApiWorkSpaceSize() + blocks * kVectorCores * t.core_stamps * sizeof(float);
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(ConvTranspose).Tiling(TilingConvTranspose);
