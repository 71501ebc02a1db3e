// FlagCounters: the cross-core flags of a launch, 16 counters per core. Most launches raise none,
// so the counters are cleared when the first flag rises.
#ifndef OPKIT_CORE_STATE_FLAG_COUNTERS_H_
#define OPKIT_CORE_STATE_FLAG_COUNTERS_H_

#include <atomic>
#include <cstdint>
#include <memory>

namespace opkit::core {

class FlagCounters {
 public:
  static constexpr uint32_t kIds = 16;

  // Forgets everything. REQUIRES: nobody else uses the counters.
  void reset(uint32_t cores) {
    cores_ = cores;
    live_.store(false, std::memory_order_relaxed);
  }

  // REQUIRES: callers of raise() exclude each other.
  void raise(uint32_t core, uint32_t id) {
    if (!live_.load(std::memory_order_relaxed)) clear();
    counters_[core * kIds + id].fetch_add(1, std::memory_order_acq_rel);
  }
  bool is_up(uint32_t core, uint32_t id) const {
    return live_.load(std::memory_order_acquire) &&
           counters_[core * kIds + id].load(std::memory_order_acquire) > 0;
  }
  // REQUIRES: is_up(core, id); only the core itself takes its flags.
  void take(uint32_t core, uint32_t id) {
    counters_[core * kIds + id].fetch_sub(1, std::memory_order_acq_rel);
  }

 private:
  void clear() {
    if (capacity_ < cores_) {
      counters_ = std::make_unique<std::atomic<uint32_t>[]>(size_t{cores_} * kIds);
      capacity_ = cores_;
    }
    for (size_t i = 0; i < size_t{cores_} * kIds; ++i)
      counters_[i].store(0, std::memory_order_relaxed);
    live_.store(true, std::memory_order_release);
  }

  std::unique_ptr<std::atomic<uint32_t>[]> counters_;
  uint32_t cores_ = 0, capacity_ = 0;
  std::atomic<bool> live_{false};
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_FLAG_COUNTERS_H_
