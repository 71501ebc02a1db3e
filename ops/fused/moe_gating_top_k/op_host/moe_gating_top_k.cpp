#include "../op_kernel/moe_gating_top_k_tiling.h"

#include <cstring>

#include "elementwise_plan.h"

namespace {

using namespace elementwise;

constexpr uint64_t kMostTokens = 128;  // limits a tile
constexpr uint64_t kNumbers = 3;       // counts the numbers of a token: the largest logit, two sums

void SetSizes(gert::TilingContext* context, MoeGatingTopKTiling& t) {
  const gert::Shape& x = context->GetInputShape(0)->GetStorageShape();
  t = {};
  t.tokens = 1;
  for (size_t d = 0; d + 1 < x.GetDimNum(); ++d) t.tokens *= static_cast<uint64_t>(x.GetDim(d));
  t.experts = static_cast<uint32_t>(x.GetDim(x.GetDimNum() - 1));
  t.k = static_cast<uint32_t>(*context->GetAttrs()->GetInt(0));
  t.sigmoid = std::strcmp(context->GetAttrs()->GetStr(1), "sigmoid") == 0 ? 1 : 0;
  t.renorm = *context->GetAttrs()->GetBool(2) ? 1 : 0;
  t.scale = *context->GetAttrs()->GetFloat(3);
  t.pitch = kSortGroup;
  while (t.pitch < t.experts) t.pitch *= kSortLists;
  t.chosen_pitch = static_cast<uint32_t>(AlignUp(t.k, kSortGroup));
}

// Returns the bytes of UB: of a tile's token, and of what is sorted at once.
uint64_t TokenBytes(uint64_t bytes, const MoeGatingTopKTiling& t) {
  const uint64_t logits = kBuffers * bytes + sizeof(float);
  const uint64_t chosen = 3 * sizeof(float) + sizeof(int32_t) + bytes;
  const uint64_t numbers = (kNumbers + 1) * (sizeof(float) + 8 * sizeof(float)) + 256;
  return t.pitch * logits + t.chosen_pitch * chosen + numbers;
}
uint64_t SortedBytes(const MoeGatingTopKTiling& t) {
  return t.pitch * (2 * 2 * sizeof(float) + sizeof(int32_t));
}

}  // namespace

static ge::graphStatus TilingMoeGatingTopK(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  auto& t = *context->GetTilingData<MoeGatingTopKTiling>();
  SetSizes(context, t);
  t.core_tokens = Most(1, CeilDiv(t.tokens, platform.GetCoreNumAiv()));
  // Tokens of one group are sorted side by side.
  const uint64_t token = TokenBytes(bytes, t) + (t.pitch == kSortGroup ? SortedBytes(t) : 0);
  const uint64_t room = ub_bytes * kUbPercent / 100 - SortedBytes(t);
  t.tile_tokens =
      static_cast<uint32_t>(Most(1, Least(Least(kMostTokens, t.core_tokens), room / token)));
  context->SetBlockDim(static_cast<uint32_t>(Most(1, CeilDiv(t.tokens, t.core_tokens))));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(MoeGatingTopK).Tiling(TilingMoeGatingTopK);
