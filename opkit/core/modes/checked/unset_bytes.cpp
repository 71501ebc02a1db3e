#include "opkit/core/modes/checked/unset_bytes.h"

#include <algorithm>

namespace opkit::core::checked {

void UnsetBytes::sort() {
  if (runs_.size() < 2) return;
  std::stable_sort(runs_.begin(), runs_.end(),
                   [](const UnsetRun& a, const UnsetRun& b) { return a.begin < b.begin; });
  size_t kept = 1;
  for (size_t i = 1; i < runs_.size(); ++i) {  // operands may share bytes
    UnsetRun run = runs_[i];
    const uint8_t* free = runs_[kept - 1].end();
    if (run.end() <= free) continue;
    if (run.begin < free) {
      run.bytes = static_cast<uint64_t>(run.end() - free);
      run.begin = free;
    }
    runs_[kept++] = run;
  }
  runs_.resize(kept);
}

const UnsetRun* UnsetBytes::find(const uint8_t* begin, uint64_t bytes) const {
  const auto run =
      std::upper_bound(runs_.begin(), runs_.end(), begin,
                       [](const uint8_t* value, const UnsetRun& r) { return value < r.end(); });
  return run == runs_.end() || run->begin >= begin + bytes ? nullptr : &*run;
}

bool UnsetBytes::covers(const uint8_t* begin, uint64_t bytes) const {
  uint64_t unset = 0;
  for_each(begin, bytes, [&](const UnsetRun& run, const uint8_t*, uint64_t n) {
    unset += run.bits == kAllBits ? n : 0;
  });
  return unset == bytes;
}

}  // namespace opkit::core::checked
