// The number of an activation for the kernel (op_kernel/bending_tiling.h).
#ifndef OPS_SHARED_BENDING_PLAN_H_
#define OPS_SHARED_BENDING_PLAN_H_

#include <cstring>

#include "../op_kernel/bending_tiling.h"

namespace bend {

// Returns the place of a name among the contract's.
inline uint32_t NumberOf(const char* activation) {
  const char* const names[] = {"none", "relu", "clip", "leaky_relu", "silu", "hard_swish"};
  uint32_t number = 0;
  while (number < kBendHardSwish && std::strcmp(names[number], activation) != 0) ++number;
  return number;
}

}  // namespace bend

#endif  // OPS_SHARED_BENDING_PLAN_H_
