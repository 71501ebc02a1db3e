#include "../hostile.h"

#include "../hostile_tiling.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace {
const hostile::Globals globals;
}

namespace ge {

graphStatus InferShape(gert::InferShapeContext* context) {
  hostile::misbehave("infer");
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return GRAPH_SUCCESS;
}

}  // namespace ge

namespace optiling {

ge::graphStatus Tiling(gert::TilingContext* context) {
  hostile::misbehave("tile");
  const std::string act = hostile::act_of("tile");
  constexpr uint64_t kLeast = 512;
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const uint64_t cores = platform.GetCoreNumAiv();
  const auto total =
      static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  const uint64_t share = (total + cores - 1) / cores;
  auto* tiling = context->GetTilingData<HostileTilingData>();
  tiling->total = total;
  tiling->per_core = (share > kLeast ? share + 7 : kLeast) / 8 * 8;
  const uint64_t blocks = (total + tiling->per_core - 1) / tiling->per_core;
  context->SetBlockDim(act == "blocks" ? 0xffffffffu
                                       : static_cast<uint32_t>(blocks > 0 ? blocks : 1));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = act == "workspace" ? (size_t{1} << 36) : 0;
  if (act == "past_tiling") {
    auto* raw = context->GetRawTilingData();
    std::memset(static_cast<char*>(raw->GetData()), 1, raw->GetCapacity() + 64);
  }
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(Hostile).Tiling(Tiling);

}  // namespace optiling

IMPL_OP_INFERSHAPE(Hostile).InferShape(ge::InferShape);
