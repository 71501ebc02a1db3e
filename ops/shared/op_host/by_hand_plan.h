// The tiling of element-wise ops whose kernel has two formulas: one of calls that not every chip
// has, and by tiling key 1 one by hand, with kScratch bytes of its own for each element.
#ifndef OPS_SHARED_BY_HAND_PLAN_H_
#define OPS_SHARED_BY_HAND_PLAN_H_

#include "elementwise_plan.h"

namespace elementwise {

template <uint64_t kScratch>
ge::graphStatus TilingByHand(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const bool by_hand = platform.GetSocVersion() == platform_ascendc::SocVersion::ASCEND310B;
  auto& tiling = *context->GetTilingData<ElementwiseTiling>();
  const auto status = Plan(context, tiling, {by_hand ? kScratch : 0, true, 0, true});
  context->SetTilingKey(by_hand ? 1 : 0);
  return status;
}

}  // namespace elementwise

#endif  // OPS_SHARED_BY_HAND_PLAN_H_
