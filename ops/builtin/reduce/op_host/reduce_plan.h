// The tiling of reductions along dims that lie side by side.
#ifndef REDUCE_REDUCE_PLAN_H_
#define REDUCE_REDUCE_PLAN_H_

#include "../op_kernel/reduce_tiling.h"
#include "rows_plan.h"

constexpr uint64_t kMostWidth = 2048;  // elements of y at once
constexpr uint64_t kLeastWidth = 64;

// x as outer x terms x inner. Returns the first of the reduced dims.
inline uint64_t SetSizes(gert::TilingContext* context, ReduceTiling& t) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const auto* axes = context->GetAttrs()->GetListInt(0);
  uint64_t first = x.GetDimNum();
  for (size_t i = 0; i < axes->GetSize(); ++i)
    first = elementwise::Least(first, static_cast<uint64_t>(axes->GetData()[i]));
  t.outer = t.terms = t.inner = 1;
  for (uint64_t d = 0; d < x.GetDimNum(); ++d) {
    const auto size = static_cast<uint64_t>(x.GetDim(d));
    (d < first ? t.outer : d < first + axes->GetSize() ? t.terms : t.inner) *= size;
  }
  return first;
}

// Columns of a matrix that is reduced along its rows, for every core; whole ones while there are
// enough of them.
inline ge::graphStatus PlanColumns(gert::TilingContext* context, ReduceTiling& t) {
  using namespace elementwise;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  const uint64_t cores = platform.GetCoreNumAiv();
  const uint64_t wanted = CeilDiv(cores, t.outer);
  const uint64_t share = Most(CeilDiv(t.inner, wanted), kLeastWidth);
  t.width = static_cast<uint32_t>(
      Least(Least(kMostWidth, AlignUp(share, kPitch)), AlignUp(t.inner, kPitch)));
  // Beside what comes and goes: floats or both words of an element, and a result as well, of
  // int64 with memory to join its words.
  const uint64_t wide = bytes == 8 ? 8 : 4;
  const uint64_t element = elementwise::kBuffers * bytes + (bytes == 4 ? 0 : wide);
  const uint64_t room =
      ub_bytes * kUbPercent / 100 - kMostWidth * (2 * wide + elementwise::kBuffers * bytes);
  t.chunk = static_cast<uint32_t>(
      Least(Least(t.terms, elementwise::kMostRows), room / element / t.width));
  t.tile = t.chunk * t.width;
  const uint64_t units = t.outer * CeilDiv(t.inner, t.width);
  t.core_units = CeilDiv(units, cores);
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(units, t.core_units)));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

// kNumbers: floats that the kernel keeps for every row, in blocks of 8, when it reduces rows.
template <uint64_t kNumbers = 1>
ge::graphStatus TilingReduce(gert::TilingContext* context) {
  auto& t = *context->GetTilingData<ReduceTiling>();
  t = {};
  const uint64_t first = SetSizes(context, t);
  const ge::DataType type = context->GetInputDesc(0)->GetDataType();
  const bool whole = type == ge::DT_INT32 || type == ge::DT_INT64;
  if (t.inner > 1 || whole) return PlanColumns(context, t);
  rows::Needs needs;
  needs.numbers = kNumbers;
  needs.per_row = true;
  needs.dims = context->GetInputShape(0)->GetStorageShape().GetDimNum() - first;
  return rows::Plan(context, t.rows, needs);
}

#endif  // REDUCE_REDUCE_PLAN_H_
