// Finds the number of an activation (op_kernel/activation_tiling.h) by its name.
#ifndef OPS_SHARED_ACTIVATION_PLACE_H_
#define OPS_SHARED_ACTIVATION_PLACE_H_

#include <cstring>

#include "../op_kernel/activation_tiling.h"

namespace bend {

// Returns the number of the activation of that name; kActivations where the kernel knows none.
inline uint32_t PlaceOf(const char* activation) {
  const char* const known[kActivations] = {"relu", "sigmoid", "tanh", "silu", "gelu", "gelu_tanh"};
  uint32_t place = 0;
  while (place < kActivations && std::strcmp(known[place], activation) != 0) ++place;
  return place;
}

}  // namespace bend

#endif  // OPS_SHARED_ACTIVATION_PLACE_H_
