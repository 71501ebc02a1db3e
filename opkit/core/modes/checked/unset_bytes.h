// UnsetBytes: values that nobody made, among those that an instruction reads.
#ifndef OPKIT_CORE_MODES_CHECKED_UNSET_BYTES_H_
#define OPKIT_CORE_MODES_CHECKED_UNSET_BYTES_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "opkit/core/state/footprint.h"

namespace opkit::core::checked {

constexpr uint8_t kAllBits = 0xFF;

// Neighbouring bytes that are unset for the same reason.
struct UnsetRun {
  const uint8_t* begin = nullptr;
  uint64_t bytes = 0;
  uint32_t origin = 0;             // 0: never written; this instruction is the first to read them
  uint8_t bits = kAllBits;         // are the unset ones of every byte
  const Access* access = nullptr;  // tells of the instruction that reads them

  const uint8_t* end() const { return begin + bytes; }
};

// The unset bytes among those that an instruction reads.
class UnsetBytes {
 public:
  bool empty() const { return runs_.empty(); }
  void clear() { runs_.clear(); }
  void add(const UnsetRun& run) { runs_.push_back(run); }
  template <typename Which>
  void remove(Which&& which) {
    runs_.erase(std::remove_if(runs_.begin(), runs_.end(), which), runs_.end());
  }
  const std::vector<UnsetRun>& runs() const { return runs_; }
  // Before it is asked.
  void sort();

  // Returns the first run that shares bytes with [begin, begin + bytes); nullptr: every byte has a
  // value.
  const UnsetRun* find(const uint8_t* begin, uint64_t bytes) const;
  // Tells whether every byte is unset.
  bool covers(const uint8_t* begin, uint64_t bytes) const;
  // Calls f(run, begin, bytes) for the parts of runs within the bytes given.
  template <typename F>
  void for_each(const uint8_t* begin, uint64_t bytes, F&& f) const {
    const uint8_t* end = begin + bytes;
    for (const UnsetRun* run = find(begin, bytes); run && run != runs_.data() + runs_.size();
         ++run) {
      if (run->begin >= end) return;
      const uint8_t* from = std::max(begin, run->begin);
      f(*run, from, static_cast<uint64_t>(std::min(end, run->end()) - from));
    }
  }

 private:
  std::vector<UnsetRun> runs_;
};

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_UNSET_BYTES_H_
