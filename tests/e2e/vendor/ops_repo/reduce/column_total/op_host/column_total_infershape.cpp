#include "register/op_impl_registry.h"

namespace ops {
static ge::graphStatus InferShapeColumnTotal(gert::InferShapeContext* context) {
  gert::Shape* y = context->GetOutputShape(0);
  y->SetDimNum(1);
  y->SetDim(0, context->GetInputShape(0)->GetDim(1));
  return ge::GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(ColumnTotal).InferShape(InferShapeColumnTotal);
}  // namespace ops
