#include "matmul_leaky_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const auto& a = context->GetInputShape(0)->GetOriginShape();
  const auto& b = context->GetInputShape(1)->GetOriginShape();
  const int32_t m = static_cast<int32_t>(a.GetDim(0)), k = static_cast<int32_t>(a.GetDim(1));
  const int32_t n = static_cast<int32_t>(b.GetDim(1));
  using matmul_tiling::CubeFormat;
  using matmul_tiling::DataType;
  using matmul_tiling::TPosition;
  matmul_tiling::MultiCoreMatmulTiling cube(platform);
  cube.SetDim(2);
  cube.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  const bool nz = context->GetInputDesc(1)->GetFormat().GetStorageFormat() == ge::FORMAT_FRACTAL_NZ;
  if (nz && context->GetInputShape(1)->GetStorageShape().GetDimNum() != 4) return ge::GRAPH_FAILED;
  cube.SetBType(TPosition::GM, nz ? CubeFormat::NZ : CubeFormat::ND, DataType::DT_FLOAT16);
  cube.SetCType(TPosition::VECIN, CubeFormat::ND, DataType::DT_FLOAT);
  cube.SetBiasType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  cube.SetShape(m, n, k);
  cube.SetOrgShape(m, n, k);
  cube.SetFixSplit(32, 32, -1);
  cube.SetBias(true);
  cube.SetBufferSpace(-1, -1, -1);
  MatmulLeakyTilingData tiling;
  if (cube.GetTiling(tiling.cube) == -1) return ge::GRAPH_FAILED;
  tiling.set_slope(*context->GetAttrs()->GetFloat(0));
  // A block of a chip with separate cores brings two vector cores, another one brings itself.
  const bool fused = platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND310P;
  context->SetBlockDim(fused ? 2 : 1);
  context->SetTilingKey(fused ? 2 : 1);
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
  gert::Shape* c = context->GetOutputShape(0);
  c->SetDimNum(2);
  c->SetDim(0, context->GetInputShape(0)->GetDim(0));
  c->SetDim(1, context->GetInputShape(1)->GetDim(1));
  return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class MatmulLeaky : public OpDef {
 public:
  explicit MatmulLeaky(const char* name) : OpDef(name) {
    this->Input("a")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Input("b")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_FRACTAL_NZ});
    this->Input("bias")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("c")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("negative_slope").AttrType(OPTIONAL).Float(0.125);
    this->SetInferShape(ge::InferShape);
    this->AICore().SetTiling(optiling::TilingFunc);
    this->AICore().AddConfig("ascend910b").AddConfig("ascend310p");
  }
};
OP_ADD(MatmulLeaky);
}  // namespace ops
