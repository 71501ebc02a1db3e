// An op with two tiling strategies, template tiling keys, a Matmul tiling and a graph prototype.
#include "../op_kernel/matmul_act_tiling_key.h"
#include "graph/operator_reg.h"
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"
#include "tiling_base/tiling_templates_registry.h"

namespace ge {
REG_OP(MatmulAct)
    .INPUT(x, TensorType({DT_FLOAT16, DT_FLOAT}))
    .INPUT(w, "T")
    .OPTIONAL_INPUT(bias, TensorType::RealNumberType())
    .DYNAMIC_INPUT(more, TensorType::ALL())
    .OUTPUT(y, TensorType({DT_FLOAT16, DT_FLOAT}))
    .DATATYPE(T, TensorType({DT_FLOAT16, DT_FLOAT}))
    .ATTR(act, String, "relu")
    .ATTR(axes, ListInt, {0, -1})
    .ATTR(empty, ListFloat, {})
    .ATTR(transpose, Bool, false)
    .REQUIRED_ATTR(alpha, Float)
    .OP_END_FACTORY_REG(MatmulAct)
}  // namespace ge

using namespace matmul_tiling;

namespace optiling {
BEGIN_TILING_DATA_DEF(MatmulActTilingData)
TILING_DATA_FIELD_DEF(uint32_t, tileNum);
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cubeTilingData);
TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmaxTilingData);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MatmulAct, MatmulActTilingData)

class MatmulActBase : public Ops::NN::Optiling::TilingBaseClass {
 public:
  explicit MatmulActBase(gert::TilingContext* context) : TilingBaseClass(context) {}

 protected:
  ge::graphStatus GetPlatformInfo() override {
    auto platform = platform_ascendc::PlatformAscendC(context_->GetPlatformInfo());
    aicoreParams_.aicNum = platform.GetCoreNumAic();
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus GetShapeAttrsInfo() override {
    auto x = context_->GetInputShape(0)->GetStorageShape();
    auto w = context_->GetInputShape(1)->GetStorageShape();
    m_ = static_cast<int32_t>(x.GetDim(0));
    k_ = static_cast<int32_t>(x.GetDim(1));
    n_ = static_cast<int32_t>(w.GetDim(1));
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus DoOpTiling() override {
    MultiCoreMatmulTiling cubeTiling(
        platform_ascendc::PlatformAscendC(context_->GetPlatformInfo()));
    cubeTiling.SetDim(static_cast<int32_t>(aicoreParams_.aicNum));
    cubeTiling.SetAType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    cubeTiling.SetBType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    cubeTiling.SetCType(TPosition::VECIN, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT16);
    cubeTiling.SetBiasType(TPosition::GM, CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT);
    cubeTiling.SetShape(m_, n_, k_);
    cubeTiling.SetOrgShape(m_, n_, k_);
    cubeTiling.SetBias(true);
    cubeTiling.SetBufferSpace(-1, -1, -1);
    if (cubeTiling.GetTiling(tiling_.cubeTilingData) == -1) {
      return ge::GRAPH_FAILED;
    }
    AscendC::SoftMaxTilingFunc(ge::Shape({m_, n_}), 4, 65536, tiling_.softmaxTilingData);
    context_->SetBlockDim(static_cast<uint32_t>(tiling_.cubeTilingData.get_usedCoreNum()));
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus DoLibApiTiling() override { return ge::GRAPH_SUCCESS; }
  ge::graphStatus GetWorkspaceSize() override {
    context_->GetWorkspaceSizes(1)[0] = 16 * 1024 * 1024;
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus PostTiling() override {
    tiling_.SaveToBuffer(context_->GetRawTilingData()->GetData(),
                         context_->GetRawTilingData()->GetCapacity());
    context_->GetRawTilingData()->SetDataSize(tiling_.GetDataSize());
    return ge::GRAPH_SUCCESS;
  }

  MatmulActTilingData tiling_;
  int32_t m_ = 0, n_ = 0, k_ = 0;
};

class MatmulActSmall : public MatmulActBase {
 public:
  using MatmulActBase::MatmulActBase;

 protected:
  bool IsCapable() override { return m_ <= 16; }
  uint64_t GetTilingKey() const override {
    return GET_TPL_TILING_KEY(C_DT_FLOAT16, C_FORMAT_ND, ACT_GELU, 1, true);
  }
};
REGISTER_OPS_TILING_TEMPLATE(MatmulAct, MatmulActSmall, 10);

class MatmulActLarge : public MatmulActBase {
 public:
  using MatmulActBase::MatmulActBase;

 protected:
  bool IsCapable() override { return m_ < 100000; }
  uint64_t GetTilingKey() const override {
    return GET_TPL_TILING_KEY(C_DT_FLOAT, C_FORMAT_ND, ACT_NONE, 200, k_ == 3);
  }
};
REGISTER_TILING_TEMPLATE("MatmulAct", MatmulActLarge, 20);

static ge::graphStatus TilingForMatmulAct(gert::TilingContext* context) {
  return TilingRegistry::GetInstance().DoTilingImpl(context);
}
IMPL_OP_OPTILING(MatmulAct).Tiling(TilingForMatmulAct);
}  // namespace optiling
