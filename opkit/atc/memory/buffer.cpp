#include "opkit/atc/memory/buffer.h"

#include <algorithm>
#include <map>

namespace opkit::memory_plan {

uint64_t most_in_use(const Buffers& buffers) {
  std::map<int64_t, std::pair<uint64_t, uint64_t>> changes;  // taken, given back
  for (const Buffer& buffer : buffers) {
    changes[buffer.lower].first += buffer.size;
    changes[buffer.upper].second += buffer.size;
  }
  uint64_t now = 0, most = 0;
  for (const auto& [time, change] : changes) {
    now = now + change.first - change.second;
    most = std::max(most, now);
  }
  return most;
}

uint64_t total_of(const Buffers& buffers, const Offsets& offsets) {
  uint64_t total = 0;
  for (size_t i = 0; i < buffers.size(); ++i) total = std::max(total, offsets[i] + buffers[i].size);
  return total;
}

}  // namespace opkit::memory_plan
