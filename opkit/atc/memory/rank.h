// Orders in which a search prefers buffers for the same place.
#ifndef OPKIT_ATC_MEMORY_RANK_H_
#define OPKIT_ATC_MEMORY_RANK_H_

#include "opkit/atc/memory/sections.h"

namespace opkit::memory_plan {

inline constexpr size_t kOrders = 6;

// Returns for each buffer its place in the order of that number. No order is the best for every
// problem. REQUIRES: order < kOrders.
std::vector<size_t> ranks_of(const Buffers& buffers, const Sections& sections, size_t order);

}  // namespace opkit::memory_plan

#endif  // OPKIT_ATC_MEMORY_RANK_H_
