// An op in the style of CANN 9: registrars, a plain tiling struct, logging and checking macros.
#include "../op_kernel/scale_relu_tiling.h"
#include "graph/types.h"
#include "log/log.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
struct ScaleReluCompileInfo {
  uint32_t coreNum = 0;
  uint64_t ubSize = 0;
};

static ge::graphStatus TilingForScaleRelu(gert::TilingContext* context) {
  OP_LOGD(context, "tiling of %s starts", context->GetNodeName());
  auto compileInfo = context->GetCompileInfo<ScaleReluCompileInfo>();
  OP_CHECK_NULL_WITH_CONTEXT(context, compileInfo);
  const gert::StorageShape* shape = context->GetInputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, shape);
  const int64_t total = shape->GetStorageShape().GetShapeSize();
  OP_CHECK_IF(total == 0, OP_LOGE(context->GetNodeName(), "x has %ld elements", total),
              return ge::GRAPH_FAILED);
  const gert::RuntimeAttrs* attrs = context->GetAttrs();
  OP_CHECK_NULL_WITH_CONTEXT(context, attrs);
  const float* scale = attrs->GetAttrPointer<float>(0);
  const auto* axes = attrs->GetListInt(1);
  const bool* relu = attrs->GetBool(2);
  OP_CHECK_NULL_WITH_CONTEXT(context, scale);

  ScaleReluTilingData* tiling = context->GetTilingData<ScaleReluTilingData>();
  OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
  tiling->total = total;
  tiling->scale = *scale;
  tiling->blockLength =
      static_cast<int32_t>((total + compileInfo->coreNum - 1) / compileInfo->coreNum);
  for (size_t i = 0; i < axes->GetSize() && i < 4; i++) {
    tiling->axes[i] = static_cast<int32_t>(axes->GetData()[i]);
  }
  auto bias = context->GetOptionalInputShape(1);
  context->SetTilingKey(bias == nullptr ? 10 : 11);
  context->SetBlockDim(compileInfo->coreNum);
  if (*relu) {
    context->SetScheduleMode(1);
  }
  size_t* workspaces = context->GetWorkspaceSizes(1);
  OP_CHECK_NULL_WITH_CONTEXT(context, workspaces);
  workspaces[0] = 0;
  OP_LOGI(context->GetNodeName(), "ub %lu", compileInfo->ubSize);
  return ge::GRAPH_SUCCESS;
}

static ge::graphStatus TilingPrepareForScaleRelu(gert::TilingParseContext* context) {
  auto compileInfo = context->GetCompiledInfo<ScaleReluCompileInfo>();
  OP_CHECK_NULL_WITH_CONTEXT(context, compileInfo);
  auto platformInfo = context->GetPlatformInfo();
  auto platform = platform_ascendc::PlatformAscendC(platformInfo);
  compileInfo->coreNum = platform.GetCoreNumAiv();
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, compileInfo->ubSize);
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(ScaleRelu)
    .Tiling(TilingForScaleRelu, 4096)
    .TilingParse<ScaleReluCompileInfo>(TilingPrepareForScaleRelu);
}  // namespace optiling

namespace ops {
static ge::graphStatus InferShapeScaleRelu(gert::InferShapeContext* context) {
  const gert::Shape* x = context->GetInputShape(0);
  gert::Shape* y = context->GetOutputShape(0);
  if (x->GetDimNum() == 0) {
    OP_LOGE(context->GetNodeName(), "a scalar is not accepted");
    return ge::GRAPH_FAILED;
  }
  y->SetDimNum(x->GetDimNum());
  for (size_t i = 0; i < x->GetDimNum(); ++i) {
    y->SetDim(i, x->GetDim(i));
  }
  // A value-dependent input appends a dim.
  const gert::Tensor* extra = context->GetOptionalInputTensor(2);
  if (extra != nullptr && extra->GetData<int64_t>() != nullptr) {
    y->AppendDim(extra->GetData<int64_t>()[0]);
  }
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_INFERSHAPE(ScaleRelu)
    .InferShape(InferShapeScaleRelu)
    .InputsDataDependency({2})
    .InferOutDataTypeSameWithFirstInput();
}  // namespace ops
