// Indices along an axis.
#ifndef OPS_SHARED_AXIS_INDEX_H_
#define OPS_SHARED_AXIS_INDEX_H_

#include "kernel_operator.h"

// Returns the place that element `at` of the indices means; negative ones count from the end. One
// that leaves the axis ends the kernel.
__aicore__ inline uint64_t PlaceOnAxis(int64_t index, uint64_t places, uint64_t at) {
  const auto end = static_cast<int64_t>(places);
  ascendc_assert(index >= -end && index < end, "indices[%lu] is %ld: the axis has %lu places", at,
                 index, places);
  return static_cast<uint64_t>(index < 0 ? index + end : index);
}

#endif  // OPS_SHARED_AXIS_INDEX_H_
