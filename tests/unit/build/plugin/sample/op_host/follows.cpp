// Ops whose definition says what their outputs are (page "Follow"), rules that replace each other
// (page "InferOutDataTypeSameWithFirstInput"), and a tiling function that asks the rarer questions
// of the pages of TilingContext, TilingData and their values.
#include "register/op_def_registry.h"

namespace optiling {

static ge::graphStatus AskTheRest(gert::TilingContext* context) {
  const gert::StorageShape* x = context->GetInputShape(0);
  const bool views = context->InputIsView(0) || context->RequiredInputIsView(0) ||
                     context->OptionalInputIsView(1) || context->DynamicInputIsView(0, 0) ||
                     context->OutputIsView(0);
  const bool strides = context->GetInputStride(0) || context->GetRequiredInputStride(0) ||
                       context->GetOptionalInputStride(1) || context->GetDynamicInputStride(0, 0) ||
                       context->GetOutputStride(0);
  if (views || strides || context->GetInputOffset(0) != -1 || context->GetOutputOffset(0) != -1) {
    return ge::GRAPH_FAILED;
  }
  if (context->GetTilingCond() != -1 || context->GetAicpuBlockDim() != 0) return ge::GRAPH_FAILED;
  context->SetTilingCond(10);
  context->SetAicpuBlockDim(5);
  context->SetDynUBufSize(4096);
  gert::Tensor copy(*x, {ge::FORMAT_ND, ge::FORMAT_ND}, context->GetInputDesc(0)->GetDataType());
  copy.MutableStorageShape().AppendDim(2);
  struct Pair {
    int a = 10, b = 100;
  };
  *context->GetRawTilingData() << Pair() << context->GetTilingCond()
                               << static_cast<int>(x->GetShape().GetDim(0))
                               << static_cast<int>(copy.GetShapeSize());
  const bool known = context->GetInputDesc(0)->IsExist() && context->GetDeterministicLevel() == 0 &&
                     context->GetKernelType() != nullptr && copy.GetShape() != *x;
  context->SetBlockDim(known ? 1 : 2);
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ops {

class FollowsInput : public OpDef {
 public:
  explicit FollowsInput(const char* name) : OpDef(name) {
    this->Input("x1")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_BF16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("x2").ParamType(OPTIONAL).Follow("x1");
    this->Output("y1").ParamType(REQUIRED).Follow("x2");
    this->Output("y2")
        .ParamType(REQUIRED)
        .Follow("x1", FollowType::SHAPE)
        .DataTypeList({ge::DT_INT32});
    OpAttrDef& axis = this->Attr("axis").AttrType(OPTIONAL).Int(0);
    if (axis.IsRequired() || axis.GetName() != "axis") this->Input("y1");
    this->AICore().SetTiling(optiling::AskTheRest).LaunchWithZeroEleOutputTensors(true);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(FollowsInput);

static ge::graphStatus InferBoolean(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, ge::DT_BOOL);
}
IMPL_OP_INFERSHAPE(LastFunction).InferOutDataTypeSameWithFirstInput().InferDataType(InferBoolean);
IMPL_OP_INFERSHAPE(LastRule)
    .InferDataType(InferBoolean)
    .InferOutDataTypeSameWithFirstInput()
    .TilingInputsDataDependency({0}, {gert::TilingPlacement::TILING_ON_HOST});

}  // namespace ops
