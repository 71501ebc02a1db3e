#include "plain_sum_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus Tile(gert::TilingContext* context) {
  PlainSumTilingData data;
  data.set_length(context->GetInputShape(0)->GetOriginShape().GetShapeSize());
  context->SetBlockDim(1);
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus Shape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}
static graphStatus Type(gert::InferDataTypeContext* context) {
  context->SetOutputDataType(0, context->GetInputDataType(0));
  return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class PlainSum : public OpDef {
 public:
  explicit PlainSum(const char* name) : OpDef(name) {
    for (const char* input : {"x", "y"})
      this->Input(input).ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->SetInferShape(ge::Shape).SetInferDataType(ge::Type);
    this->AICore().SetTiling(optiling::Tile);
    for (const char* chip : {"ascend310b", "ascend310p", "ascend910", "ascend910b"})
      this->AICore().AddConfig(chip);
  }
};
OP_ADD(PlainSum);
}  // namespace ops
