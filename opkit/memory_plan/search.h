// A bounded exact search for a smaller block.
#ifndef OPKIT_MEMORY_PLAN_SEARCH_H_
#define OPKIT_MEMORY_PLAN_SEARCH_H_

#include <optional>

#include "opkit/memory_plan/buffer.h"

namespace opkit::memory_plan {

struct SearchResult {
  std::optional<Offsets> offsets;  // of a block smaller than `below`; the smallest that was found
  bool complete = false;           // every possibility was considered
  size_t steps = 0;
};

// Places buffers from the bottom up, each on top of those below it, and goes back where the block
// would not become smaller than `below`. Ends at `steps` placements: the answer is the same on
// every machine. `bound`: a block of that size cannot be beaten.
SearchResult search(const Buffers& buffers, uint64_t below, uint64_t bound, size_t steps);

}  // namespace opkit::memory_plan

#endif  // OPKIT_MEMORY_PLAN_SEARCH_H_
