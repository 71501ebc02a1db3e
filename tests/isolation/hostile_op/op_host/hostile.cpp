#include "../hostile.h"

#include "../hostile_tiling.h"
#include "register/op_def_registry.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace {

const hostile::Globals globals;

// The answers of one stage, as OPKIT_HOSTILE says.
bool told(const char* stage, const char* act) { return hostile::act_of(stage) == act; }

}  // namespace

namespace ge {

static graphStatus InferShape(gert::InferShapeContext* context) {
  hostile::misbehave("infer_shape");
  gert::Shape& z = *context->GetOutputShape(0);
  z = *context->GetInputShape(0);
  if (told("infer_shape", "negative")) z.SetDim(0, -5);
  if (told("infer_shape", "huge")) z.SetDim(0, int64_t{1} << 62);
  if (told("infer_shape", "another")) z.SetDim(0, z.GetDim(0) + 1);
  static int calls = 0;
  if (told("infer_shape", "fickle") && ++calls > 1) z.SetDim(0, z.GetDim(0) + 1);
  return GRAPH_SUCCESS;
}

static graphStatus InferDataType(gert::InferDataTypeContext* context) {
  hostile::misbehave("infer_dtype");
  context->SetOutputDataType(
      0, told("infer_dtype", "another") ? ge::DT_INT8 : context->GetInputDataType(0));
  return GRAPH_SUCCESS;
}

}  // namespace ge

namespace optiling {

static void Lie(gert::TilingContext* context) {
  if (told("tile", "blocks")) context->SetBlockDim(0xffffffffu);
  if (told("tile", "no_blocks")) context->SetBlockDim(0);
  if (told("tile", "workspace")) context->GetWorkspaceSizes(1)[0] = size_t{1} << 36;
  if (told("tile", "workspace_63")) context->GetWorkspaceSizes(1)[0] = size_t{1} << 63;
  auto* raw = context->GetRawTilingData();
  if (told("tile", "data_size")) raw->SetDataSize(size_t{1} << 40);
  if (told("tile", "past_tiling"))
    std::memset(static_cast<char*>(raw->GetData()), 1, raw->GetCapacity() + 64);
}

static ge::graphStatus Tiling(gert::TilingContext* context) {
  hostile::misbehave("tile");
  constexpr uint64_t kLeast = 512;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const uint64_t cores = platform.GetCoreNumAiv();
  const auto total =
      static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  const uint64_t share = (total + cores - 1) / cores;
  auto* tiling = context->GetTilingData<HostileTilingData>();
  if (!told("tile", "no_total")) tiling->total = total;
  tiling->per_core = (share > kLeast ? share + 7 : kLeast) / 8 * 8;
  const uint64_t blocks = (total + tiling->per_core - 1) / tiling->per_core;
  context->SetBlockDim(static_cast<uint32_t>(blocks > 0 ? blocks : 1));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  Lie(context);
  return ge::GRAPH_SUCCESS;
}

// Declares fewer bytes than the buffer has, so that writes may pass them.
IMPL_OP_OPTILING(Hostile).Tiling(Tiling, 2048);

}  // namespace optiling

namespace ops {

class Hostile : public OpDef {
 public:
  explicit Hostile(const char* name) : OpDef(name) {
    hostile::misbehave("query");
    for (const char* port : {"x", "y"})
      this->Input(port).ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
    this->AICore().AddConfig("ascend910b");
  }
};
OP_ADD(Hostile);

}  // namespace ops
