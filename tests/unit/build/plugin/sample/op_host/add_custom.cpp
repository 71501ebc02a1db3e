// An op in the style of CANN 8.1: OpDef, tiling data by macros, functions set in the definition.
#include "add_custom_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t TILE_NUM = 8;

static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  AddCustomTilingData tiling;
  const gert::StorageShape* x_shape = context->GetInputShape(0);
  if (x_shape == nullptr) {
    return ge::GRAPH_FAILED;
  }
  uint32_t totalLength = static_cast<uint32_t>(x_shape->GetOriginShape().GetShapeSize());
  auto ascendcPlatform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ubSize = 0;
  ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubSize);
  context->SetBlockDim(ascendcPlatform.GetCoreNumAiv());
  tiling.set_totalLength(totalLength);
  tiling.set_tileNum(TILE_NUM);
  tiling.set_flag(7);
  tiling.set_scale(0.5f);
  int16_t tails[3] = {1, -2, 3};
  tiling.set_tails(tails);
  tiling.split.set_axis(4);
  tiling.split.set_stride(ubSize);
  if (context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT) {
    context->SetTilingKey(2);
  } else {
    context->SetTilingKey(1);
  }
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  // A table of offsets for large inputs.
  if (totalLength > 100000) context->GetRawTilingData()->Expand(4096);
  size_t* currentWorkspace = context->GetWorkspaceSizes(1);
  currentWorkspace[0] = 1024 + ascendcPlatform.GetLibApiWorkSpaceSize();
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
  const auto inputShape = context->GetInputShape(0);
  auto outputShape = context->GetOutputShape(0);
  *outputShape = *inputShape;
  return GRAPH_SUCCESS;
}
static graphStatus InferDataType(gert::InferDataTypeContext* context) {
  const auto inputDataType = context->GetInputDataType(0);
  context->SetOutputDataType(0, inputDataType);
  return ge::GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class AddCustom : public OpDef {
 public:
  explicit AddCustom(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("y").ParamType(OPTIONAL).Follow("x").AutoContiguous();
    this->Input("index")
        .ParamType(DYNAMIC)
        .DataTypeList({ge::DT_INT32, ge::DT_INT64})
        .ValueDepend(OPTIONAL);
    this->Output("z")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32})
        .FormatList({ge::FORMAT_ND})
        .InitValue({{ScalarType::FLOAT16, 1}, {ScalarType::FLOAT32, 3.5}, {ScalarType::INT32, 7}});
    this->Attr("alpha").AttrType(OPTIONAL).Float(1.5);
    this->Attr("axes").AttrType(OPTIONAL).ListInt({0, 1});
    this->Attr("mode").AttrType(REQUIRED).String();
    this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend310b");
    OpAICoreConfig config;
    config.DynamicCompileStaticFlag(true).DynamicShapeSupportFlag(true).ExtendCfgInfo(
        "opFile.value", "add_custom");
    config.Input("x").ParamType(REQUIRED).DataType({ge::DT_BF16}).Format({ge::FORMAT_ND});
    config.Output("z").ParamType(REQUIRED).DataType({ge::DT_BF16}).Format({ge::FORMAT_ND});
    this->AICore().AddConfig("ascend910b", config);
  }
};

OP_ADD(AddCustom);
}  // namespace ops
