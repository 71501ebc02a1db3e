// Two spans of bytes beside each other.
#ifndef OPKIT_CORE_PUT_OFF_SPANS_H_
#define OPKIT_CORE_PUT_OFF_SPANS_H_

#include <cstdint>

namespace opkit::core {

inline bool overlap(const uint8_t* a, uint64_t a_bytes, const uint8_t* b, uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

// Tells whether all of b lies in a.
inline bool covers(const uint8_t* a, uint64_t a_bytes, const uint8_t* b, uint64_t b_bytes) {
  return a <= b && b + b_bytes <= a + a_bytes;
}

}  // namespace opkit::core

#endif  // OPKIT_CORE_PUT_OFF_SPANS_H_
