// The tiling of searches along a dim: attribute 0 is the dim, attribute 1 says which one of equal
// elements is meant.
#ifndef ARG_EXTREME_SEARCH_PLAN_H_
#define ARG_EXTREME_SEARCH_PLAN_H_

#include "../op_kernel/search_tiling.h"
#include "elementwise_plan.h"

constexpr uint64_t kMostColumns = 1024;  // columns at once
constexpr uint64_t kLeastColumns = 32;   // makes lines of GM long enough: a copy reads each apart
constexpr uint64_t kMostSearched = 64;   // rows at once
constexpr uint64_t kMostLines = 2032;    // limits a chunk: the repeats of a call that turns it
constexpr uint64_t kWholeLines = 64;     // rows are read in whole requests where there is room
constexpr uint64_t kPartTerms = 256;     // a shorter part of a row does not repay its comparison

// x as outer x terms x inner.
inline void SetSizes(gert::TilingContext* context, SearchTiling& t) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const auto axis = static_cast<size_t>(*context->GetAttrs()->GetInt(0));
  t.outer = t.terms = t.inner = 1;
  for (size_t d = 0; d < x.GetDimNum(); ++d)
    (d < axis ? t.outer : d == axis ? t.terms : t.inner) *= static_cast<uint64_t>(x.GetDim(d));
  t.last = static_cast<uint32_t>(*context->GetAttrs()->GetInt(1));
}

// Sets what lies side by side: rows, or their parts where rows are few, or columns.
inline void SetLanes(uint64_t cores, uint64_t bytes, SearchTiling& t) {
  using namespace elementwise;
  t.parts = 1;
  t.length = static_cast<uint32_t>(t.terms);
  if (t.inner == 1) {
    const uint64_t least = CeilDiv(kMinCoreBytes, t.terms * bytes);
    const uint64_t share = Most(least, CeilDiv(t.outer, cores));
    t.width = static_cast<uint32_t>(Most(1, Least(Least(kMostSearched, share), t.outer)));
    t.parts = static_cast<uint32_t>(Most(1, Least(kSearchLanes / t.width, t.terms / kPartTerms)));
    t.length = static_cast<uint32_t>(CeilDiv(t.terms, t.parts));
  } else {
    const uint64_t share = CeilDiv(t.inner, CeilDiv(cores, Most(1, t.outer)));
    const uint64_t columns = AlignUp(Most(kLeastColumns, share), kSearchLanes);
    t.width = static_cast<uint32_t>(Most(1, Least(Least(kMostColumns, columns), t.inner)));
  }
  t.lanes = static_cast<uint32_t>(AlignUp(uint64_t{t.width} * t.parts, kSearchLanes));
}

// Sets how many lines UB holds.
inline void SetChunk(uint64_t ub_bytes, uint64_t bytes, SearchTiling& t) {
  using namespace elementwise;
  // Elements found so far and just now, their places, the results in two buffers, bits.
  const uint64_t whole = AlignUp(t.lanes, kSearchRepeat);
  const uint64_t room = ub_bytes * kUbPercent / 100 - whole * (4 * 4 + kBuffers * 8 + 3);
  // An element in two buffers, turned, as a float, its line's number, what is made of it, bits.
  const uint64_t element = kBuffers * bytes + (bytes == 4 ? 0 : bytes) + 3 * 4 + 1;
  uint64_t lines = Least(room / element / t.lanes, kMostLines);
  if (t.inner == 1) lines = lines / kSearchLanes * kSearchLanes;
  if (lines > kWholeLines) lines = lines / kWholeLines * kWholeLines;
  t.chunk = static_cast<uint32_t>(Least(AlignUp(t.length, kSearchLanes), Most(1, lines)));
  t.tile = static_cast<uint32_t>(AlignUp(uint64_t{t.chunk} * t.lanes, kSearchRepeat));
}

inline ge::graphStatus TilingSearch(gert::TilingContext* context) {
  using namespace elementwise;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const uint64_t cores = platform.GetCoreNumAiv();
  auto& t = *context->GetTilingData<SearchTiling>();
  t = {};
  SetSizes(context, t);
  SetLanes(cores, bytes, t);
  SetChunk(ub_bytes, bytes, t);
  const uint64_t units =
      t.inner == 1 ? CeilDiv(t.outer, t.width) : t.outer * CeilDiv(t.inner, t.width);
  t.core_units = Most(1, CeilDiv(units, cores));
  context->SetBlockDim(static_cast<uint32_t>(Most(1, CeilDiv(units, t.core_units))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

#endif  // ARG_EXTREME_SEARCH_PLAN_H_
