#include "../op_kernel/dequant_swiglu_quant_tiling.h"
#include "elementwise_plan.h"

// The kernel's inputs: the halves of x, whose rows lie as far apart as those of x, then the factors
// that are there, those of the columns in halves, too.
static ge::graphStatus TilingDequantSwigluQuant(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<DequantSwigluQuantTilingData>();
  const gert::Shape& y = context->GetOutputShape(0)->GetStorageShape();
  const auto columns = static_cast<uint64_t>(y.GetDim(y.GetDimNum() - 1));
  const auto rows = columns == 0 ? 0 : static_cast<uint64_t>(y.GetShapeSize()) / columns;
  const ge::DataType x = context->GetInputDesc(0)->GetDataType();
  std::vector<ge::DataType> inputs{x, x};
  std::vector<elementwise::Dim> dims{{columns, {1, 1}}, {rows, {2 * columns, 2 * columns}}};
  const auto add = [&](uint64_t column_stride, uint64_t row_stride) {
    inputs.push_back(ge::DT_FLOAT);
    dims[0].strides.push_back(column_stride);
    dims[1].strides.push_back(row_stride);
  };
  const bool by_column = context->GetOptionalInputShape(1) != nullptr;
  const bool by_row = context->GetOptionalInputShape(2) != nullptr;
  if (by_column) add(1, 0);
  if (by_column) add(1, 0);
  if (by_row) add(0, 1);
  elementwise::Needs needs;
  needs.scratch = 2 * sizeof(float);
  if (x == ge::DT_INT32) needs.scratch += 2 * sizeof(float);  // the halves in float
  needs.in_float = true;
  const ge::graphStatus done = elementwise::PlanInputs(context, tiling->view, dims, inputs, needs);
  tiling->activate_left = *context->GetAttrs()->GetBool(0) ? 1 : 0;
  tiling->reserved = 0;
  context->SetTilingKey((by_column ? 1 : 0) + (by_row ? 2 : 0));
  return done;
}

IMPL_OP_OPTILING(DequantSwigluQuant).Tiling(TilingDequantSwigluQuant);
