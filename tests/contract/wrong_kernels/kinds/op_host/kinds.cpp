// Tilings of the pairs.
#include <map>
#include <utility>

#include "kind_tiling.h"
#include "register/op_impl_registry.h"
#include "side.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
namespace {

constexpr uint64_t kStep = 8;     // elements of 32 bytes
constexpr uint32_t kTile = 1024;  // elements
constexpr uint64_t kLeast = 512;  // elements of a core
constexpr uint32_t kRepeat = 64;  // elements
constexpr uint64_t kSlotBytes = 32;

uint64_t up_to_multiple(uint64_t count, uint64_t of) { return (count + of - 1) / of * of; }

uint64_t vector_cores(gert::TilingContext* context) {
  return platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();
}

KindTiling* begin(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<KindTiling>();
  *tiling = KindTiling{};
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return tiling;
}

// Deals `total` elements or rows, in whole steps, to as many cores as that takes.
void deal(gert::TilingContext* context, KindTiling* tiling, uint64_t total, uint64_t least,
          uint64_t step) {
  const uint64_t cores = vector_cores(context);
  const uint64_t share = up_to_multiple((total + cores - 1) / cores, step);
  tiling->total = total;
  tiling->per_core = share > least ? share : least;
  const uint64_t blocks = (total + tiling->per_core - 1) / tiling->per_core;
  context->SetBlockDim(static_cast<uint32_t>(blocks > 0 ? blocks : 1));
}

uint64_t elements(gert::TilingContext* context) {
  return static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
}

ge::graphStatus TilingElements(gert::TilingContext* context) {
  KindTiling* tiling = begin(context);
  deal(context, tiling, elements(context), kLeast, kStep);
  tiling->tile = kTile;
  return ge::GRAPH_SUCCESS;
}

// Few tiles, so that tensors of more than 2^32 bytes are soon watched.
ge::graphStatus TilingOffset32(gert::TilingContext* context) {
  constexpr uint32_t kLargeTile = 8192;
  TilingElements(context);
  context->GetTilingData<KindTiling>()->tile = kLargeTile;
  return ge::GRAPH_SUCCESS;
}

// A core takes two tiles before there is work for another core.
ge::graphStatus TilingLargeRace(gert::TilingContext* context) {
  constexpr uint32_t kLargeTile = 8192;
  KindTiling* tiling = begin(context);
  deal(context, tiling, elements(context), 2 * kLargeTile, kStep);
  tiling->tile = kLargeTile;
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingRemainder(gert::TilingContext* context) {
  const uint64_t cores = vector_cores(context), total = elements(context);
  TilingElements(context);
  if (kRight || total < cores * kTile) return ge::GRAPH_SUCCESS;
  context->GetTilingData<KindTiling>()->per_core = total / cores;
  context->SetBlockDim(static_cast<uint32_t>(cores));
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingAttrTail(gert::TilingContext* context) {
  TilingElements(context);
  context->GetTilingData<KindTiling>()->alpha = *context->GetAttrs()->GetFloat(0);
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingAbsentInput(gert::TilingContext* context) {
  TilingElements(context);
  context->GetTilingData<KindTiling>()->more = context->GetOptionalInputShape(1) != nullptr ? 1 : 0;
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingKeyBoundary(gert::TilingContext* context) {
  constexpr uint64_t kMostOfKey1 = 5003;  // elements, as the kernel has it
  TilingElements(context);
  context->SetTilingKey(elements(context) <= kMostOfKey1 ? 1 : 2);
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingRows(gert::TilingContext* context) {
  const auto& shape = context->GetInputShape(0)->GetOriginShape();
  KindTiling* tiling = begin(context);
  deal(context, tiling, static_cast<uint64_t>(shape.GetDim(0)), 1, 1);
  tiling->columns = static_cast<uint32_t>(shape.GetDim(1));
  tiling->tile = static_cast<uint32_t>(up_to_multiple(tiling->columns, kRepeat));
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingOneCore(gert::TilingContext* context) {
  TilingRows(context);
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingAtomic(gert::TilingContext* context) {
  TilingRows(context);
  context->SetScheduleMode(1);
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingWideColumn(gert::TilingContext* context) {
  constexpr uint32_t kMost = 16320;  // elements
  TilingRows(context);
  auto* tiling = context->GetTilingData<KindTiling>();
  context->SetTilingKey(tiling->columns <= kMost ? 1 : 2);
  if (tiling->tile > kMost) tiling->tile = kMost;
  return ge::GRAPH_SUCCESS;
}

// The wrong one takes calls with as many elements for one call.
ge::graphStatus TilingStaleTiling(gert::TilingContext* context) {
  static std::map<uint64_t, std::pair<KindTiling, uint32_t>> known;
  TilingRows(context);
  auto* tiling = context->GetTilingData<KindTiling>();
  if constexpr (!kRight) {
    const auto& [first, blocks] =
        known.emplace(elements(context), std::pair(*tiling, context->GetBlockDim())).first->second;
    *tiling = first;
    context->SetBlockDim(blocks);
  }
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingAllCores(gert::TilingContext* context) {
  constexpr uint64_t kLeastHere = 256;
  KindTiling* tiling = begin(context);
  deal(context, tiling, elements(context), kLeastHere, kStep);
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  context->SetScheduleMode(1);
  context->GetWorkspaceSizes(1)[0] =
      platform.GetLibApiWorkSpaceSize() + context->GetBlockDim() * kSlotBytes;
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(AbsentInput).Tiling(TilingAbsentInput);
IMPL_OP_OPTILING(ArgmaxTie).Tiling(TilingRows);
IMPL_OP_OPTILING(AtomicNoZero).Tiling(TilingAtomic);
IMPL_OP_OPTILING(AttrTail).Tiling(TilingAttrTail);
IMPL_OP_OPTILING(Barrier).Tiling(TilingElements);
IMPL_OP_OPTILING(FlagReuse).Tiling(TilingElements);
IMPL_OP_OPTILING(HalfSums).Tiling(TilingRows);
IMPL_OP_OPTILING(InPlaceTwice).Tiling(TilingElements);
IMPL_OP_OPTILING(KeyBoundary).Tiling(TilingKeyBoundary);
IMPL_OP_OPTILING(LargeRace).Tiling(TilingLargeRace);
IMPL_OP_OPTILING(MaskWord).Tiling(TilingElements);
IMPL_OP_OPTILING(MeanPadded).Tiling(TilingRows);
IMPL_OP_OPTILING(NanToZero).Tiling(TilingElements);
IMPL_OP_OPTILING(NzPanel).Tiling(TilingOneCore);
IMPL_OP_OPTILING(Offset32).Tiling(TilingOffset32);
IMPL_OP_OPTILING(Race).Tiling(TilingElements);
IMPL_OP_OPTILING(Remainder).Tiling(TilingRemainder);
IMPL_OP_OPTILING(Rounding).Tiling(TilingElements);
IMPL_OP_OPTILING(SharedLine).Tiling(TilingRows);
IMPL_OP_OPTILING(SigmoidInf).Tiling(TilingElements);
IMPL_OP_OPTILING(SignOfZero).Tiling(TilingElements);
IMPL_OP_OPTILING(SoftmaxOverflow).Tiling(TilingRows);
IMPL_OP_OPTILING(SquareBroadcast).Tiling(TilingRows);
IMPL_OP_OPTILING(StaleTiling).Tiling(TilingStaleTiling);
IMPL_OP_OPTILING(StaleUb).Tiling(TilingRows);
IMPL_OP_OPTILING(SyncAll).Tiling(TilingAllCores);
IMPL_OP_OPTILING(Tail).Tiling(TilingElements);
IMPL_OP_OPTILING(WideColumn).Tiling(TilingWideColumn);
IMPL_OP_OPTILING(WorkspaceOverlap).Tiling(TilingAllCores);
IMPL_OP_OPTILING(WrongColumn).Tiling(TilingElements);
IMPL_OP_OPTILING(ZeroNoSync).Tiling(TilingAtomic);

}  // namespace optiling
