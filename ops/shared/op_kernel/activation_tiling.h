// Activations that an attribute names, by number, and the scratch memory that they take; shared by
// both sides.
#ifndef OPS_SHARED_ACTIVATION_TILING_H_
#define OPS_SHARED_ACTIVATION_TILING_H_

#include <cstdint>

namespace bend {

// Higher numbers bend nothing.
constexpr uint32_t kRelu = 0, kSigmoid = 1, kTanh = 2, kSilu = 3, kGelu = 4, kGeluTanh = 5;
constexpr uint32_t kActivations = 6;

constexpr uint32_t kActivationScratch = 2 * sizeof(float);  // bytes for each element; not for GELU
constexpr uint32_t kGeluScratch = 3 * sizeof(float);        // bytes for each element

// Returns the bytes of scratch for each element of an activation, GELU among them; callable by
// kernels too, as constexpr functions are on both sides.
constexpr uint32_t ScratchOf(uint32_t which) {
  return which == kGelu ? kGeluScratch : kActivationScratch;
}

}  // namespace bend

#endif  // OPS_SHARED_ACTIVATION_TILING_H_
