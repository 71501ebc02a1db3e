// The number of an activation for the kernel (op_kernel/activation.h).
#ifndef OPS_SHARED_ACTIVATION_PLACE_H_
#define OPS_SHARED_ACTIVATION_PLACE_H_

#include <cstdint>
#include <cstring>

namespace bend {

constexpr uint64_t kActivationScratch = 2 * sizeof(float);  // bytes for each element

// Returns the place of the name among those that the kernel knows; behind the last one: none of
// them.
inline uint32_t PlaceOf(const char* activation) {
  const char* const known[] = {"relu", "sigmoid", "tanh", "silu"};
  uint32_t place = 0;
  while (place < 4 && std::strcmp(known[place], activation) != 0) ++place;
  return place;
}

}  // namespace bend

#endif  // OPS_SHARED_ACTIVATION_PLACE_H_
