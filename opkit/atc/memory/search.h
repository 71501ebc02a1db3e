// A bounded exact search for a smaller block.
#ifndef OPKIT_ATC_MEMORY_SEARCH_H_
#define OPKIT_ATC_MEMORY_SEARCH_H_

#include <optional>

#include "opkit/atc/memory/buffer.h"

namespace opkit::memory_plan {

struct SearchResult {
  std::optional<Offsets> offsets;  // lie in a block smaller than `below`, the smallest found
  bool complete = false;           // no smaller one exists, or none is asked for
  size_t steps = 0;
};

// Asks fit() for blocks of `bound` bytes, which need not be beaten, and then of sizes between that
// and the best, by halves, each in several orders. Ends at about `steps` steps of fit(): the answer
// is the same on every machine. Problems of more than kMostFitted buffers are not searched.
SearchResult search(const Buffers& buffers, uint64_t below, uint64_t bound, size_t steps);

}  // namespace opkit::memory_plan

#endif  // OPKIT_ATC_MEMORY_SEARCH_H_
