// Activations by number, shared by both sides.
#ifndef OPS_SHARED_BENDING_TILING_H_
#define OPS_SHARED_BENDING_TILING_H_

#include <cstdint>

constexpr uint32_t kBendNone = 0, kBendRelu = 1, kBendClip = 2, kBendLeaky = 3, kBendSilu = 4,
                   kBendHardSwish = 5;

#endif  // OPS_SHARED_BENDING_TILING_H_
