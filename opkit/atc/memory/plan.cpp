#include "opkit/atc/memory/plan.h"

#include <algorithm>

#include "opkit/atc/memory/check.h"
#include "opkit/atc/memory/greedy.h"
#include "opkit/atc/memory/search.h"

namespace opkit::memory_plan {

Result<MemoryPlan> plan(Buffers buffers, const Effort& effort) {
  for (Buffer& buffer : buffers) buffer.size = aligned(buffer.size, effort.alignment);
  MemoryPlan plan;
  plan.bound = most_in_use(buffers);
  plan.offsets = place_greedily(buffers);
  plan.total = total_of(buffers, plan.offsets);
  plan.by = "greedy";
  const uint64_t enough = std::max(plan.bound, effort.enough);
  if (plan.total > enough) {
    SearchResult better = search(buffers, plan.total, enough, effort.steps);
    if (better.offsets) {
      plan.offsets = std::move(*better.offsets);
      plan.total = total_of(buffers, plan.offsets);
      plan.by = "search";
    }
  }
  OPKIT_CHECK(check(buffers, plan.offsets, plan.total, effort.alignment));
  return plan;
}

}  // namespace opkit::memory_plan
