// Tiling of MatmulLeakyRelu: M x N is shared by the vector cores, each of which drives the cube
// core of its block and finishes base blocks that fit into UB.
#include "matmul_leaky_relu_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
namespace {

using matmul_tiling::CubeFormat;
using matmul_tiling::DataType;
using matmul_tiling::TPosition;

constexpr int32_t kMostBase = 128;   // rows and columns of a base block: 96 KiB of UB at most
constexpr int32_t kVectorCores = 2;  // of a block

CubeFormat CubeFormatOf(ge::Format format) {
  return format == ge::FORMAT_FRACTAL_NZ ? CubeFormat::NZ : CubeFormat::ND;
}

}  // namespace

static ge::graphStatus TilingMatmulLeakyRelu(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  // The sizes of the product are those of the model, whatever the format of w.
  const gert::Shape& x = context->GetInputShape(0)->GetOriginShape();
  const gert::Shape& w = context->GetInputShape(1)->GetOriginShape();
  const auto m = static_cast<int32_t>(x.GetDim(0)), k = static_cast<int32_t>(x.GetDim(1));
  const auto n = static_cast<int32_t>(w.GetDim(1));
  const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
  const DataType type = dtype == ge::DT_FLOAT16 ? DataType::DT_FLOAT16 : DataType::DT_FLOAT;
  const bool has_bias = context->GetOptionalInputShape(2) != nullptr;

  matmul_tiling::MultiCoreMatmulTiling cube(platform);
  cube.SetDim(static_cast<int32_t>(platform.GetCoreNumAiv()));
  cube.SetAType(TPosition::GM, CubeFormat::ND, type);
  cube.SetBType(TPosition::GM,
                CubeFormatOf(context->GetInputDesc(1)->GetFormat().GetStorageFormat()), type);
  cube.SetCType(TPosition::VECIN, CubeFormat::ND, DataType::DT_FLOAT);
  cube.SetBiasType(TPosition::GM, CubeFormat::ND, type);
  cube.SetShape(m, n, k);
  cube.SetOrgShape(m, n, k);
  cube.SetSplitRange(kMostBase, kMostBase, -1);
  cube.SetBias(has_bias);
  cube.SetBufferSpace(-1, -1, -1);
  MatmulLeakyReluTilingData tiling;
  if (cube.GetTiling(tiling.cube) == -1) return ge::GRAPH_FAILED;
  tiling.set_slope(*context->GetAttrs()->GetFloat(0));

  int32_t cores = 0, cores_m = 0, cores_n = 0;
  cube.GetCoreNum(cores, cores_m, cores_n);
  context->SetBlockDim(static_cast<uint32_t>((cores + kVectorCores - 1) / kVectorCores));
  context->SetTilingKey(0);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus InferMatmulLeakyRelu(gert::InferShapeContext* context) {
  gert::Shape* y = context->GetOutputShape(0);
  y->SetDimNum(2);
  y->SetDim(0, context->GetInputShape(0)->GetDim(0));
  y->SetDim(1, context->GetInputShape(1)->GetDim(1));
  return GRAPH_SUCCESS;
}
static graphStatus InferTypeMatmulLeakyRelu(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, context->GetInputDataType(0));
}
}  // namespace ge

namespace ops {
class MatmulLeakyRelu : public OpDef {
 public:
  explicit MatmulLeakyRelu(const char* name) : OpDef(name) {
    const std::vector<ge::DataType> types = {ge::DT_FLOAT16, ge::DT_FLOAT16, ge::DT_FLOAT,
                                             ge::DT_FLOAT};
    const std::vector<ge::Format> nd(4, ge::FORMAT_ND);
    const std::vector<ge::Format> weight = {ge::FORMAT_ND, ge::FORMAT_FRACTAL_NZ, ge::FORMAT_ND,
                                            ge::FORMAT_FRACTAL_NZ};
    this->Input("x").ParamType(REQUIRED).DataType(types).Format(nd);
    this->Input("w").ParamType(REQUIRED).DataType(types).Format(weight);
    this->Input("bias").ParamType(OPTIONAL).DataType(types).Format(nd);
    this->Output("y").ParamType(REQUIRED).DataType(types).Format(nd);
    this->Attr("negative_slope").AttrType(OPTIONAL).Float(0.01);
    this->SetInferShape(ge::InferMatmulLeakyRelu).SetInferDataType(ge::InferTypeMatmulLeakyRelu);
    this->AICore().SetTiling(optiling::TilingMatmulLeakyRelu);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(MatmulLeakyRelu);
}  // namespace ops
