// How far rows of x lie apart in UB where they are dealt out to slices. Shared by both sides.
#ifndef FOCUS_CONV_SLICE_PITCH_H_
#define FOCUS_CONV_SLICE_PITCH_H_

#include <cstdint>

// Elements: GatherMask takes 256 bytes at once, and halves of a row begin blocks.
constexpr uint32_t SlicePitch(uint32_t width, uint32_t element_bytes) {
  const uint32_t repeat = 256 / element_bytes;
  return (width + repeat - 1) / repeat * repeat;
}

#endif  // FOCUS_CONV_SLICE_PITCH_H_
