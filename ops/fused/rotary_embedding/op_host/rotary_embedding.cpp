#include "elementwise_plan.h"

// One half of y: from both halves of x, whose rows lie as far apart as those of x, and from the
// angles of the row's place in the sequence.
static ge::graphStatus TilingRotaryEmbedding(gert::TilingContext* context) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  const gert::Shape& cos = context->GetInputShape(1)->GetStorageShape();
  const auto length = static_cast<uint64_t>(cos.GetDim(0));
  const auto half = static_cast<uint64_t>(cos.GetDim(1)), row = 2 * half;
  uint64_t sequences = 1;
  for (size_t d = 0; d + 2 < x.GetDimNum(); ++d) sequences *= static_cast<uint64_t>(x.GetDim(d));

  std::vector<elementwise::Dim> dims;
  elementwise::Needs needs;
  needs.scratch = sizeof(float);
  needs.in_float = true;
  needs.parts = 1;
  // Rows stay rows: y's do not touch.
  dims.push_back({half, {1, 1, 1, 1}});
  dims.push_back({length, {row, row, half, half}});
  elementwise::AddDim(dims, {sequences, {length * row, length * row, 0, 0}});
  auto* tiling = context->GetTilingData<ElementwiseTiling>();
  const ge::graphStatus planned = elementwise::PlanDims(context, *tiling, dims, needs);
  tiling->y_stride = row;
  return planned;
}

IMPL_OP_OPTILING(RotaryEmbedding).Tiling(TilingRotaryEmbedding);
