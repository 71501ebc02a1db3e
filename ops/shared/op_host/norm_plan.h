// The tiling of ops that normalise rows and whose first attribute is epsilon.
//
//   IMPL_OP_OPTILING(RmsNorm).Tiling(norm::Tiling<1, 1>);   // kNumbers, inputs that are rows
#ifndef OPS_SHARED_NORM_PLAN_H_
#define OPS_SHARED_NORM_PLAN_H_

#include "../op_kernel/norm_tiling.h"
#include "rows_plan.h"

namespace norm {

template <uint64_t kNumbers, uint64_t kJoined>
ge::graphStatus Tiling(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<NormTiling>();
  tiling->epsilon = *context->GetAttrs()->GetFloat(0);
  tiling->reserved = 0;
  rows::Needs needs;
  needs.numbers = kNumbers;
  needs.joined = kJoined;
  needs.one_row = true;
  return rows::Plan(context, tiling->rows, needs);
}

}  // namespace norm

#endif  // OPS_SHARED_NORM_PLAN_H_
