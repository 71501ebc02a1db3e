// What lies behind a GM tensor in the memory of its allocation (docs/decisions/0014).
#ifndef OPKIT_CORE_STATE_GM_ROOM_H_
#define OPKIT_CORE_STATE_GM_ROOM_H_

#include <algorithm>
#include <cstdint>

#include "opkit/core/state/launch_request.h"

namespace opkit::core {

// Returns the allocation of a tensor: its bytes rounded up to 32, and 32 more.
inline uint64_t allocated_bytes(uint64_t bytes) { return (bytes + 31) / 32 * 32 + 32; }

// Memory is mapped by pages of 4 KiB at least, so that a read finds something to the end of one.
inline uint64_t mapped_bytes(uint64_t bytes) {
  constexpr uint64_t kPage = 4096;
  return std::max(allocated_bytes(bytes), (bytes + kPage - 1) / kPage * kPage);
}

// Returns the bytes from the range's base on that a launch may read, observers aside.
inline uint64_t readable_bytes(const GmRange& range) {
  if (!range.has_tail) return range.bytes;
  return range.input ? mapped_bytes(range.bytes) : allocated_bytes(range.bytes);
}

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_GM_ROOM_H_
