// PendingAdditions: the atomic additions of a launch that have not happened yet, beside those that
// cores keep to themselves (AtomicLog). A core shares its additions with the others when it
// releases: sets a cross-core flag, arrives at SyncAll, writes a word that another core waits for.
//
// Nobody can be ordered behind an addition without such a release, so that an access to bytes of GM
// sees its own core's additions to them and all released ones, in the order of blocks. Where a
// kernel orders its accesses that is every addition before the access, whichever host thread runs
// whom; docs/decisions/0015 says what is left.
#ifndef OPKIT_CORE_STATE_PENDING_ADDITIONS_H_
#define OPKIT_CORE_STATE_PENDING_ADDITIONS_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "opkit/core/state/atomic_log.h"

namespace opkit::core {

class PendingAdditions {
 public:
  // Forgets everything. REQUIRES: no block runs.
  void reset();

  // Tells whether any core has released additions that have not happened.
  bool any() const { return any_.load(std::memory_order_acquire); }

  // Everybody sees the additions of the core from now on.
  void release(uint32_t seat, AtomicLog& own);
  // A core has ended; nobody is ordered behind what it has not released.
  void keep(uint32_t seat, AtomicLog& own);

  // Makes the additions to these bytes happen that the core sees.
  void happen(const uint8_t* gm, uint64_t bytes, uint32_t seat, AtomicLog& own);
  // Lets everything that was released happen. REQUIRES: no core is between its releases.
  void happen_released();
  // Makes every kept or released addition happen. REQUIRES: all blocks have ended.
  void happen_all();

 private:
  struct Log {
    uint32_t seat;
    AtomicLog log;
  };

  std::mutex mutex_;
  std::atomic<bool> any_{false};
  std::vector<Log> released_, kept_;
  std::vector<Addition> due_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_PENDING_ADDITIONS_H_
