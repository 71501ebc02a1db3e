// Whether buffers fit into a block of a given size: a bounded exact search.
#ifndef OPKIT_ATC_MEMORY_FIT_H_
#define OPKIT_ATC_MEMORY_FIT_H_

#include <optional>

#include "opkit/atc/memory/buffer.h"

namespace opkit::memory_plan {

struct Fit {
  std::optional<Offsets> offsets;
  bool impossible = false;  // every possibility was considered
  size_t steps = 0;
};

// Places buffers from the bottom up, each on top of what it meets below it. Of two that begin at
// the same height the one of the lower rank goes first, so that each arrangement is reached once.
// It goes back where what is left of a section of time cannot stay below `capacity`; buffers that
// are left and share no time are placed apart from one another (canonical placements and sections
// as in MiniMalloc, ASPLOS 2023). Ends at `steps` placements, where one among many buffers counts
// as several: the answer is the same on every machine. REQUIRES: buffers.size() <= kMostFitted;
// order < kOrders (rank.h).
inline constexpr size_t kMostFitted = 4096;
Fit fit(const Buffers& buffers, uint64_t capacity, size_t order, size_t steps);

}  // namespace opkit::memory_plan

#endif  // OPKIT_ATC_MEMORY_FIT_H_
