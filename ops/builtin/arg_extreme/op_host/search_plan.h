// The tiling of searches along a dim: attribute 0 is the dim, attribute 1 says which one of equal
// elements is meant.
#ifndef ARG_EXTREME_SEARCH_PLAN_H_
#define ARG_EXTREME_SEARCH_PLAN_H_

#include "../op_kernel/search_tiling.h"
#include "elementwise_plan.h"

constexpr uint64_t kMostWidth = 2048;    // columns at once
constexpr uint64_t kMostLines = 248;     // limits their lines, which are parts of a copy
constexpr uint64_t kRowWidth = 64;       // is a row's: its columns' winners are compared one by one
constexpr uint64_t kLongRowWidth = 256;  // which a longer row repays
constexpr uint64_t kLongRow = 8192;

// x as outer x terms x inner.
inline void SetSizes(gert::TilingContext* context, SearchTiling& t) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const auto axis = static_cast<size_t>(*context->GetAttrs()->GetInt(0));
  t.outer = t.terms = t.inner = 1;
  for (size_t d = 0; d < x.GetDimNum(); ++d)
    (d < axis ? t.outer : d == axis ? t.terms : t.inner) *= static_cast<uint64_t>(x.GetDim(d));
  t.last = static_cast<uint32_t>(*context->GetAttrs()->GetInt(1));
}

inline uint64_t WidthOf(const SearchTiling& t, uint64_t cores) {
  using namespace elementwise;
  if (t.inner == 1) return Least(t.terms, t.terms < kLongRow ? kRowWidth : kLongRowWidth);
  const uint64_t share = CeilDiv(t.inner, CeilDiv(cores, Most(1, t.outer)));
  return Least(kMostWidth, AlignUp(Most(1, share), kSearchRepeat));
}

inline ge::graphStatus TilingSearch(gert::TilingContext* context) {
  using namespace elementwise;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  auto& t = *context->GetTilingData<SearchTiling>();
  t = {};
  SetSizes(context, t);
  const uint64_t cores = platform.GetCoreNumAiv();
  t.width = static_cast<uint32_t>(WidthOf(t, cores));
  const uint64_t pitch = AlignUp(t.width, kSearchRepeat);
  // Three numbers of a column, a result in two buffers, bits.
  const uint64_t room = ub_bytes * kUbPercent / 100 - pitch * (3 * 4 + kBuffers * 8 + 1);
  const uint64_t element = kBuffers * bytes + (bytes == 4 ? 0 : 4);
  t.chunk = static_cast<uint32_t>(Least(Least(t.terms, kMostLines), room / element / pitch));
  t.tile = static_cast<uint32_t>(t.chunk * pitch);
  const bool rows = t.inner == 1;
  const uint64_t units = t.outer * (rows ? 1 : CeilDiv(t.inner, t.width));
  const uint64_t least = rows ? CeilDiv(kMinCoreBytes, t.terms * bytes) : 1;
  t.core_units = Most(least, CeilDiv(units, cores));
  context->SetBlockDim(static_cast<uint32_t>(Most(1, CeilDiv(units, t.core_units))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

#endif  // ARG_EXTREME_SEARCH_PLAN_H_
