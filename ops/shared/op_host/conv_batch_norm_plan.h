// The tiling of a convolution that is normalised; the attributes are strides, pads, dilations and
// epsilon.
#ifndef OPS_SHARED_CONV_BATCH_NORM_PLAN_H_
#define OPS_SHARED_CONV_BATCH_NORM_PLAN_H_

#include "../op_kernel/conv_batch_norm_tiling.h"
#include "conv_dense_plan.h"

namespace conv_dense {

// kScratch: blocks of floats that what follows takes.
template <uint64_t kScratch>
ge::graphStatus TilingBatchNorm(gert::TilingContext* context) {
  auto* tiling = context->GetTilingData<ConvBatchNormTiling>();
  tiling->epsilon = *context->GetAttrs()->GetFloat(3);
  tiling->reserved = 0;
  Places places;
  places.group = -1;
  places.bias = -1;
  const double cycles = kScratch > 0 ? 0.5 : 0.2;
  return Plan(context, tiling->conv, {4, kScratch * sizeof(float), cycles}, places);
}

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_BATCH_NORM_PLAN_H_
