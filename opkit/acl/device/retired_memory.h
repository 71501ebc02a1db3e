// Memory that a program gave back while streams had work: aclrtFree waits for nobody, so that a
// task may still look at it. No table knows it any more; its pages stay until that work is done.
#ifndef OPKIT_ACL_DEVICE_RETIRED_MEMORY_H_
#define OPKIT_ACL_DEVICE_RETIRED_MEMORY_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "opkit/acl/streams/scheduler.h"

namespace opkit::acl {

// Used with the runtime's lock held.
class RetiredMemory {
 public:
  // Calls free when every task that has been submitted by now is done; now, if there is none.
  void keep(Scheduler& scheduler, std::function<void()> free) {
    sweep(scheduler);
    const uint64_t number = scheduler.newest();
    if (scheduler.oldest() >= number) return free();
    pieces_.emplace_back(number, std::move(free));
  }
  void sweep(Scheduler& scheduler) {
    if (pieces_.empty()) return;
    const uint64_t oldest = scheduler.oldest();
    for (; !pieces_.empty() && pieces_.front().first <= oldest; pieces_.pop_front())
      pieces_.front().second();
  }

 private:
  // Holds by ascending number what frees each piece; sweep() takes numbers that are past.
  std::deque<std::pair<uint64_t, std::function<void()>>> pieces_;
};

// Returns the program's, made on first use and never destroyed. REQUIRES: the lock is held.
OPKIT_ACL_SHARED RetiredMemory& retired_memory();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DEVICE_RETIRED_MEMORY_H_
