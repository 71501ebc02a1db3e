#include "linear_add_gelu_tiling.h"

#include <cstring>

// The kernel by hand, with key 3, where the chip has no Erf and the form asks for it.
static ge::graphStatus TilingLinearAddGelu(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const bool by_tanh = std::strcmp(context->GetAttrs()->GetStr(0), "tanh") == 0;
  const bool by_hand =
      !by_tanh && platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND310B;
  matmul::Needs needs;
  needs.scratch = (by_hand ? 3 : 1) * sizeof(float);
  optiling::LinearAddGeluTilingData data;
  if (matmul::Plan(context, data.plan, needs) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
  data.set_by_tanh(by_tanh ? 1 : 0);
  data.set_reserved(0);
  constexpr uint64_t kByHand = 3;
  if (by_hand) context->SetTilingKey(kByHand);
  return matmul::Save(context, data);
}

IMPL_OP_OPTILING(LinearAddGelu).Tiling(TilingLinearAddGelu);
