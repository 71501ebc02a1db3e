#include "elementwise_plan.h"

// Both inputs of the kernel are parts of x: their rows lie as far apart as those of x.
static ge::graphStatus TilingSwiGlu(gert::TilingContext* context) {
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  const auto columns = static_cast<uint64_t>(y.GetDim(y.GetDimNum() - 1));
  const auto rows = columns == 0 ? 0 : static_cast<uint64_t>(y.GetShapeSize()) / columns;
  elementwise::Needs needs;
  needs.scratch = sizeof(float);
  needs.in_float = true;
  needs.parts = 1;
  const std::vector<elementwise::Dim> dims{{columns, {1, 1}}, {rows, {2 * columns, 2 * columns}}};
  return elementwise::PlanDims(context, *context->GetTilingData<ElementwiseTiling>(), dims, needs);
}

IMPL_OP_OPTILING(SwiGlu).Tiling(TilingSwiGlu);
