// Definition, inference and tiling of AddAct in the layout that msOpGen makes.
#include "../op_kernel/add_act_tiling.h"
#include "../op_kernel/tiling_key_add_act.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  const uint32_t total =
      static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const uint32_t bytes = total * static_cast<uint32_t>(ge::GetSizeByDataType(dtype));
  const int64_t act = *context->GetAttrs()->GetInt(0);
  AddActTilingData* tiling = context->GetTilingData<AddActTilingData>();
  tiling->total = total;
  tiling->tile = 512;
  context->SetBlockDim(1);
  ASCENDC_TPL_SEL_PARAM(context, static_cast<uint32_t>(dtype), act, bytes % 32 == 0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}
static graphStatus InferDataType(gert::InferDataTypeContext* context) {
  context->SetOutputDataType(0, context->GetInputDataType(0));
  return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class AddAct : public OpDef {
 public:
  explicit AddAct(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32, ge::DT_COMPLEX64})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("y").ParamType(REQUIRED).Follow("x");
    this->Input("bias")
        .ParamType(OPTIONAL)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_INT32, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("z").ParamType(REQUIRED).Follow("x");
    this->Attr("act").AttrType(OPTIONAL).Int(0);
    this->Attr("label").AttrType(REQUIRED).String();
    this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(AddAct);
}  // namespace ops
