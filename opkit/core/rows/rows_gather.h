// Elements of 2 and 4 bytes from places that a list of offsets names.
#ifndef OPKIT_CORE_ROWS_ROWS_GATHER_H_
#define OPKIT_CORE_ROWS_ROWS_GATHER_H_

#include <cstddef>
#include <cstdint>

namespace opkit::core {

struct OffsetReach {
  uint32_t bits = 0;  // joins the bits of all offsets
  uint32_t least = ~uint32_t{0}, most = 0;
};
OffsetReach reach_of(const uint32_t* offsets, size_t n);

// dst[i] = the element of `size` bytes (2 or 4) at src + offsets[i]. dst overlaps nothing.
// REQUIRES: offsets are below 2^31.
void gather_row(void* dst, const uint8_t* src, const uint32_t* offsets, size_t n, uint32_t size);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ROWS_ROWS_GATHER_H_
