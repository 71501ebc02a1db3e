#include "opkit/memory_plan/plan.h"

#include "opkit/memory_plan/check.h"
#include "opkit/memory_plan/greedy.h"
#include "opkit/memory_plan/search.h"

namespace opkit::memory_plan {

Result<Plan> plan(Buffers buffers, size_t search_steps, uint64_t alignment) {
  for (Buffer& buffer : buffers) buffer.size = aligned(buffer.size, alignment);
  Plan plan;
  plan.bound = most_in_use(buffers);
  plan.offsets = place_greedily(buffers);
  plan.total = total_of(buffers, plan.offsets);
  plan.by = "greedy";
  if (plan.total > plan.bound) {
    SearchResult better = search(buffers, plan.total, plan.bound, search_steps);
    if (better.offsets) {
      plan.offsets = std::move(*better.offsets);
      plan.total = total_of(buffers, plan.offsets);
      plan.by = "search";
    }
  }
  OPKIT_CHECK(check(buffers, plan.offsets, plan.total, alignment));
  return plan;
}

}  // namespace opkit::memory_plan
