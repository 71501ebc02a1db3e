// The number of an activation for the kernel (op_kernel/activation.h).
#ifndef OPS_SHARED_ACTIVATION_PLACE_H_
#define OPS_SHARED_ACTIVATION_PLACE_H_

#include <cstdint>
#include <cstring>

namespace bend {

constexpr uint64_t kActivationScratch = 2 * sizeof(float);  // bytes for each element

// Returns the bytes of scratch for each element of an activation at that place, GELU among them
// (op_kernel/gelu_activation.h).
inline uint64_t ScratchOf(uint32_t place) {
  constexpr uint32_t kGelu = 4;
  return place == kGelu ? 3 * sizeof(float) : kActivationScratch;
}

// Returns the place of the name among those that the kernel knows; behind the last one: none of
// them.
inline uint32_t PlaceOf(const char* activation) {
  const char* const known[] = {"relu", "sigmoid", "tanh", "silu", "gelu", "gelu_tanh"};
  uint32_t place = 0;
  while (place < 6 && std::strcmp(known[place], activation) != 0) ++place;
  return place;
}

}  // namespace bend

#endif  // OPS_SHARED_ACTIVATION_PLACE_H_
