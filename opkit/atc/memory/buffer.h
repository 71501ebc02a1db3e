// Buffers that share one block of device memory, and where each lies.
#ifndef OPKIT_ATC_MEMORY_BUFFER_H_
#define OPKIT_ATC_MEMORY_BUFFER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::memory_plan {

// In use at the times lower, lower + 1, ..., upper - 1.
struct Buffer {
  std::string id;
  int64_t lower = 0, upper = 0;
  uint64_t size = 0;  // bytes

  bool meets(const Buffer& other) const { return lower < other.upper && other.lower < upper; }
};
using Buffers = std::vector<Buffer>;
using Offsets = std::vector<uint64_t>;  // one for each buffer, in their order

// What a plan comes to.
struct MemoryPlan {
  Offsets offsets;
  uint64_t total = 0;  // bytes of the block
  uint64_t bound = 0;  // bytes in use at the fullest time: no plan is smaller
  std::string by;      // what found it: "greedy" or "search"

  bool optimal() const { return total == bound; }
};

// Returns the bytes in use at the fullest time.
uint64_t most_in_use(const Buffers& buffers);
// Returns the end of the last buffer.
uint64_t total_of(const Buffers& buffers, const Offsets& offsets);

}  // namespace opkit::memory_plan

#endif  // OPKIT_ATC_MEMORY_BUFFER_H_
