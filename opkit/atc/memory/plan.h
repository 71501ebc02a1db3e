// Where buffers lie in one block of memory: greedily, then by a bounded exact search while the
// block is larger than the bound.
#ifndef OPKIT_ATC_MEMORY_PLAN_H_
#define OPKIT_ATC_MEMORY_PLAN_H_

#include "opkit/atc/memory/buffer.h"

namespace opkit::memory_plan {

inline constexpr uint64_t kAlignment = 512;  // GM is fastest at multiples of it
inline constexpr size_t kSearchSteps = 200000;

// Returns a multiple of `alignment`.
constexpr uint64_t aligned(uint64_t bytes, uint64_t alignment = kAlignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// How hard to try, and for what.
struct Effort {
  size_t steps = kSearchSteps;      // limits the search
  uint64_t alignment = kAlignment;  // > 0
  uint64_t enough = 0;              // a block of so many bytes need not become smaller
};

// Sizes need not be aligned: each buffer gets whole multiples. The result has passed check().
Result<MemoryPlan> plan(Buffers buffers, const Effort& effort = {});

}  // namespace opkit::memory_plan

#endif  // OPKIT_ATC_MEMORY_PLAN_H_
