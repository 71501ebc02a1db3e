#include "../op_kernel/cum_sum_tiling.h"
#include "elementwise_plan.h"

namespace {

using namespace elementwise;

constexpr uint64_t kMostWidth = 2048;  // columns at once
constexpr uint64_t kLeastWidth = 32;
constexpr uint64_t kMostLines = 64;    // counts rows, as many as a repeat has floats
constexpr uint64_t kMostWhole = 4096;  // integers of rows at once

// Holds what a type needs in UB.
struct Room {
  bool whole = false;    // integers are added up as they are
  uint64_t element = 0;  // bytes of an element of a tile
  uint64_t sum = 0;      // bytes of a column beside the tiles
};

Room RoomOf(ge::DataType type) {
  const auto bytes = static_cast<uint64_t>(ge::GetSizeByDataType(type));
  const uint64_t copied = 2 * kBuffers * bytes;
  switch (type) {
    case ge::DT_INT32: return {true, copied, 2 * 4};
    case ge::DT_INT64: return {true, copied + 2 * 4, 6 * 4};  // words of lines, and of sums
    default: return {false, copied + (bytes == 4 ? 0 : 4) + 4, 2 * 4};  // widened, turned
  }
}

// x as outer x terms x inner.
void SetSizes(gert::TilingContext* context, CumSumTiling& t) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const auto axis = static_cast<size_t>(*context->GetAttrs()->GetInt(0));
  t.outer = t.terms = t.inner = 1;
  for (size_t d = 0; d < x.GetDimNum(); ++d)
    (d < axis ? t.outer : d == axis ? t.terms : t.inner) *= static_cast<uint64_t>(x.GetDim(d));
  if (t.outer * t.inner == 0) t.terms = 0;
  t.exclusive = static_cast<uint32_t>(*context->GetAttrs()->GetInt(1));
  t.reverse = static_cast<uint32_t>(*context->GetAttrs()->GetInt(2));
}

// capacity: elements of a tile.
void CutRows(uint64_t capacity, CumSumTiling& t) {
  t.width = static_cast<uint32_t>(
      Least(capacity / kMostLines / kCumSumBlock * kCumSumBlock, AlignUp(t.terms, kCumSumBlock)));
  const uint64_t lines = t.core_units * CeilDiv(t.terms, t.width);
  t.chunk = static_cast<uint32_t>(Least(kMostLines, AlignUp(lines, kCumSumBlock)));
}

void CutColumns(uint64_t cores, uint64_t capacity, CumSumTiling& t) {
  const uint64_t share = Most(CeilDiv(t.inner, CeilDiv(cores, t.outer)), kLeastWidth);
  t.width = static_cast<uint32_t>(Least(kMostWidth, AlignUp(Least(share, t.inner), kCumSumBlock)));
  t.chunk = static_cast<uint32_t>(Least(Least(t.terms, kMostRows), capacity / t.width));
}

}  // namespace

static ge::graphStatus TilingCumSum(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const Room room = RoomOf(context->GetInputDesc(0)->GetDataType());
  auto& t = *context->GetTilingData<CumSumTiling>();
  t = {};
  SetSizes(context, t);
  context->SetBlockDim(1);
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  if (t.terms == 0) return ge::GRAPH_SUCCESS;
  const uint64_t capacity = (ub_bytes * kUbPercent / 100 - kMostWidth * room.sum) / room.element;
  const uint64_t cores = platform.GetCoreNumAiv();
  uint64_t units = t.outer;
  if (t.inner == 1) {
    t.core_units = CeilDiv(units, cores);
    if (room.whole) {
      t.width = static_cast<uint32_t>(Least(Least(capacity, kMostWhole), t.core_units * t.terms));
      t.chunk = 1;
    } else {
      CutRows(capacity, t);
    }
  } else {
    CutColumns(cores, capacity, t);
    units *= CeilDiv(t.inner, t.width);
    t.core_units = CeilDiv(units, cores);
  }
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(units, t.core_units)));
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(CumSum).Tiling(TilingCumSum);
